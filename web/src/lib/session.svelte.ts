// SPDX-License-Identifier: MIT
// A game of two: where it began, what was played, where we look, and what is known about it.
import { events, get, isAbort, say } from './api';
import type { Answer, Position, ReviewPly, Sensors } from './types';
import { isSolved } from './value';

export type Player = 'you' | 'beginner' | 'casual' | 'club' | 'strong' | 'perfect' | 'zeno';
const everywhere: Player[] = ['you', 'beginner', 'casual', 'club', 'strong', 'perfect'];

/** Who can play a game with these engines: the one that taught itself needs a network. */
export function playersOf(engines: string[]): Player[] {
  return engines.includes('zeno') ? [...everywhere, 'zeno'] : everywhere;
}

export interface Mistake {
  ply: number;
  side: 0 | 1;
  move: string;
  best: string[];
  /** What it cost, in points; of the outcome if that changed. */
  cost: number;
  words: string;
}

export class Session {
  game = $state('');
  start = $state('start');
  moves = $state<string[]>([]);
  ply = $state(0);
  node = $state<Position | null>(null);
  before = $state<Position | null>(null);
  answer = $state<Answer | null>(null);
  thinking = $state(false);
  reviewing = $state(false);
  error = $state('');
  review = $state<Record<number, ReviewPly>>({});
  showValues = $state(true);
  sides = $state<[Player, Player]>(['you', 'you']);
  paused = $state(false);
  patience = $state(5);
  /** What the engine read of its own search while it thought about its last move, one after the other. */
  sensors = $state<Sensors[]>([]);

  #solving: AbortController | null = null;
  #reviewer: AbortController | null = null;
  #choosing: AbortController | null = null;
  #answers = new Map<string, Answer>();
  #turn = 0;
  onchange: () => void = () => {};

  get atEnd(): boolean {
    return this.ply === this.moves.length;
  }

  get name(): string {
    return this.game.split(':')[0];
  }

  get isEnginesTurn(): boolean {
    return this.node !== null && !this.node.over && this.atEnd && this.sides[this.node.side] !== 'you';
  }

  /** Shows a game from the address, or a new one. */
  async open(game: string, start: string, moves: string[], ply: number): Promise<void> {
    this.stop();
    this.game = game;
    this.start = start;
    this.moves = moves;
    this.ply = Math.min(Math.max(ply, 0), moves.length);
    this.review = {};
    this.sensors = [];
    this.node = null;
    this.before = null;
    await this.load();
    if (moves.length > 0 && this.showValues) void this.runReview();
  }

  stop(): void {
    this.#solving?.abort();
    this.#reviewer?.abort();
    this.#choosing?.abort();
  }

  async #fetch(ply: number): Promise<Position> {
    return get<Position>('/api/position', {
      game: this.game,
      position: this.start,
      moves: this.moves.slice(0, ply).join(','),
      check: true,
    });
  }

  async load(): Promise<void> {
    const turn = ++this.#turn;
    this.#solving?.abort();
    this.#choosing?.abort();
    try {
      const before = this.ply > 0 ? await this.#fetch(this.ply - 1) : null;
      const node = await this.#fetch(this.ply);
      if (turn !== this.#turn) return;
      this.before = before;
      this.node = node;
      this.game = node.game;
      this.error = '';
      this.onchange();
    } catch (error) {
      if (turn === this.#turn && !isAbort(error)) this.error = say(error);
      return;
    }
    void this.think();
    void this.engineMoves();
  }

  /** The cells of the move that led here. */
  get lastCells(): number[] {
    const move = this.ply > 0 ? this.moves[this.ply - 1] : undefined;
    return this.before?.scene?.moves?.find((m) => m.move === move)?.cells ?? [];
  }

  #key(): string {
    return `${this.game} ${this.node?.position}`;
  }

  async think(longer = false): Promise<void> {
    this.#solving?.abort();
    this.answer = null;
    if (this.node === null || this.node.over || (!this.showValues && !longer)) return;
    const kept = this.#answers.get(this.#key());
    if (kept) {
      this.answer = kept;
      if (kept.status === 'solved' && (kept.moves ?? []).every(isSolved)) return;
    }
    const own = (this.#solving = new AbortController());
    const key = this.#key();
    const { ply, side } = { ply: this.ply, side: this.node.side };
    this.thinking = true;
    try {
      const params = { game: this.game, position: this.node.position, seconds: longer ? 30 : this.patience };
      for await (const event of events('/api/solve/events', params, own.signal)) {
        if (own.signal.aborted) return;
        if (event.name === 'answer') {
          this.answer = event.data;
          this.#answers.set(key, event.data);
          this.note(ply, side, event.data);
        } else if (event.name === 'error') {
          this.error = event.data.error.message;
        }
      }
    } catch (error) {
      if (!isAbort(error)) this.error = say(error);
    } finally {
      if (this.#solving === own) this.thinking = false;
    }
  }

  /** What an analysis found is also a point of the graph. */
  note(ply: number, side: 0 | 1, a: Answer): void {
    const move = this.moves[ply];
    const played = a.moves?.find((m) => m.move === move);
    this.review[ply] = { ...a, ply, side, played };
  }

  async runReview(): Promise<void> {
    this.#reviewer?.abort();
    const own = (this.#reviewer = new AbortController());
    this.reviewing = true;
    try {
      const params = { game: this.game, position: this.start, moves: this.moves.join(','), seconds: 0.5 };
      for await (const event of events('/api/review', params, own.signal))
        if (event.name === 'ply' && !own.signal.aborted) {
          const known = this.review[event.data.ply];
          if (!known || !isSolved(known) || (event.data.played && !known.played)) this.review[event.data.ply] = event.data;
        }
    } catch (error) {
      if (!isAbort(error)) this.error = say(error);
    } finally {
      if (this.#reviewer === own) this.reviewing = false;
    }
  }

  async play(move: string): Promise<void> {
    if (this.node === null || this.node.over) return;
    if (this.moves[this.ply] !== move) {
      this.#reviewer?.abort();
      const kept = Object.entries(this.review).filter(([ply]) => Number(ply) <= this.ply);
      this.review = Object.fromEntries(kept);
      this.moves = [...this.moves.slice(0, this.ply), move];
      const here = this.review[this.ply];
      const value = this.answer?.moves?.find((m) => m.move === move);
      if (here && value) here.played = value;
    }
    this.ply++;
    await this.load();
    if (this.node?.over && this.showValues) void this.runReview();
  }

  goto(ply: number): void {
    const to = Math.min(Math.max(ply, 0), this.moves.length);
    if (to === this.ply) return;
    if (this.sides.some((s) => s !== 'you')) this.paused = to < this.moves.length;
    this.ply = to;
    void this.load();
  }

  restart(start = 'start'): void {
    this.paused = false;
    void this.open(this.game, start, [], 0);
  }

  /** The engine's move; on the way, what it reads of its own search. */
  async #choose(player: Player, signal: AbortSignal): Promise<string | undefined> {
    const who = player === 'zeno' ? { engine: 'zeno', level: 'strong' } : { level: player };
    const params = { game: this.game, position: this.node?.position, seed: Math.floor(Math.random() * 1e9), ...who };
    let move: string | undefined;
    this.sensors = [];
    for await (const event of events('/api/choose/events', params, signal)) {
      if (event.name === 'sensors') this.sensors.push(event.data);
      else if (event.name === 'move') move = event.data.move;
      else if (event.name === 'error') this.error = event.data.error.message;
    }
    return move;
  }

  async engineMoves(): Promise<void> {
    if (!this.isEnginesTurn || this.paused || this.node === null) return;
    const own = (this.#choosing = new AbortController());
    const wait = this.sides.includes('you') ? 250 : 700;
    try {
      const [move] = await Promise.all([
        this.#choose(this.sides[this.node.side], own.signal),
        new Promise((done) => setTimeout(done, wait)),
      ]);
      if (move !== undefined && !own.signal.aborted && this.isEnginesTurn && !this.paused) await this.play(move);
    } catch (error) {
      if (!isAbort(error)) this.error = say(error);
    }
  }

  setSide(side: 0 | 1, player: Player): void {
    this.sides[side] = player;
    this.paused = false;
    void this.engineMoves();
  }

  /** Moves that gave something away, by what is proved. */
  get mistakes(): Mistake[] {
    const found: Mistake[] = [];
    for (let ply = 0; ply < this.moves.length; ply++) {
      const r = this.review[ply];
      if (!r?.played || r.played.hi >= r.lo) continue;
      const cost = r.lo - r.played.hi;
      const was = Math.sign(r.lo);
      const is = r.played.hi < 0 ? -1 : r.played.hi > 0 ? 1 : 0;
      const words =
        was > 0 && is < 0
          ? 'turned a win into a loss'
          : was > 0 && is === 0
            ? 'let a win slip to a draw'
            : was === 0 && is < 0
              ? 'turned a draw into a loss'
              : `cost ${cost} ${cost === 1 ? 'point' : 'points'}`;
      found.push({ ply, side: r.side, move: this.moves[ply], best: r.best, cost, words });
    }
    return found;
  }
}
