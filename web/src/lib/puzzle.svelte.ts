// SPDX-License-Identifier: MIT
// A puzzle: what it came with, what was filled in and struck out, and hints.
import { ApiError, get, isAbort, post, say } from './api';
import { cellName, readCandidate } from '../boards/puzzle';
import type { Hint, Position, Rating } from './types';

interface Step {
  moves: string[];
  struck: string[];
}

export interface Check {
  solutions: number;
  solutions_complete: boolean;
  reason?: string;
  solved: boolean;
  wrong: string[];
}

export const stages = ['vague', 'technique', 'step'] as const;

export class Puzzle {
  game = $state('');
  start = $state('');
  steps = $state<Step[]>([{ moves: [], struck: [] }]);
  at = $state(0);
  node = $state<Position | null>(null);
  rating = $state<Rating | null>(null);
  hint = $state<Hint | null>(null);
  stage = $state(-1);
  check = $state<Check | null>(null);
  note = $state('');
  busy = $state('');
  options = $state<string[]>([]);
  #turn = 0;
  #work: AbortController | null = null;
  onchange: () => void = () => {};

  get now(): Step {
    return this.steps[this.at];
  }

  get solved(): boolean {
    return this.node?.over != null && this.node.over.lo > 0;
  }

  async open(game: string, start: string, moves: string[], struck: string[]): Promise<void> {
    this.#work?.abort();
    this.game = game;
    this.start = start;
    this.steps = [{ moves, struck }];
    this.at = 0;
    this.rating = null;
    this.clear();
    if (await this.load()) void this.rate();
  }

  clear(): void {
    this.hint = null;
    this.stage = -1;
    this.check = null;
    this.note = '';
  }

  async load(): Promise<boolean> {
    const turn = ++this.#turn;
    try {
      const node = await get<Position>('/api/position', { game: this.game, position: this.start, moves: this.now.moves.join(','), check: true });
      if (turn !== this.#turn) return false;
      this.node = node;
      this.game = node.game;
      this.onchange();
      return true;
    } catch (error) {
      if (turn === this.#turn) this.note = say(error);
      return false;
    }
  }

  async rate(): Promise<void> {
    this.rating = await get<Rating>('/api/rate', { game: this.game, position: this.start }).catch(() => null);
  }

  /** A new state, which can be undone; if the rules refuse it, nothing has changed. */
  async #change(step: Step): Promise<boolean> {
    const [before, at] = [this.steps, this.at];
    this.steps = [...this.steps.slice(0, this.at + 1), step];
    this.at++;
    this.clear();
    if (await this.load()) return true;
    const note = this.note;
    this.steps = before;
    this.at = at;
    this.note = note;
    return false;
  }

  isFixed(cell: number): boolean {
    return this.node?.scene?.given?.includes(cell) ?? true;
  }

  /** Fills a cell; the same value again, or nothing, empties it. */
  async fill(cell: number, value: string): Promise<void> {
    const scene = this.node?.scene;
    if (!scene || this.isFixed(cell)) return;
    const name = cellName(scene, cell);
    const others = this.now.moves.filter((m) => !m.startsWith(`${name}=`));
    const same = scene.cells[cell] === value;
    await this.#change({ moves: same || value === '' ? others : [...others, `${name}=${value}`], struck: this.now.struck });
  }

  async strike(cell: number, value: string): Promise<void> {
    const scene = this.node?.scene;
    if (!scene) return;
    const name = `${cellName(scene, cell)}<>${value}`;
    const struck = this.now.struck.includes(name) ? this.now.struck.filter((s) => s !== name) : [...this.now.struck, name];
    await this.#change({ moves: this.now.moves, struck });
  }

  goto(at: number): void {
    this.at = Math.min(Math.max(at, 0), this.steps.length - 1);
    this.clear();
    void this.load();
  }

  async #ask<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    this.#work?.abort();
    const own = (this.#work = new AbortController());
    this.busy = what;
    try {
      return await work(own.signal);
    } catch (error) {
      if (!isAbort(error)) this.note = say(error);
      return null;
    } finally {
      if (this.#work === own) this.busy = '';
    }
  }

  /** The next stage of a hint; after the third, the step is done. */
  async more(): Promise<void> {
    if (this.busy !== '') return;
    if (this.stage === 2 && this.hint) {
      await this.apply();
      return;
    }
    const stage = this.stage + 1;
    const params = {
      game: this.game,
      position: this.start,
      moves: this.now.moves.join(','),
      struck: this.now.struck.join(','),
      stage: stages[stage],
    };
    const found = await this.#ask('hint', (signal) => get<Hint>('/api/hint', params, signal));
    if (!found) return;
    this.check = null;
    this.note = '';
    this.hint = found;
    this.stage = found.status === 'hint' ? stage : -1;
  }

  async apply(): Promise<void> {
    const hint = this.hint;
    if (!hint || hint.status !== 'hint' || !this.node?.scene) return;
    const scene = this.node.scene;
    const filled = (hint.placements ?? []).filter((p) => scene.cells[readCandidate(scene, p).cell] === '');
    await this.#change({
      moves: [...this.now.moves, ...filled],
      struck: [...new Set([...this.now.struck, ...(hint.eliminations ?? [])])],
    });
  }

  async runCheck(): Promise<void> {
    const params = { game: this.game, position: this.start, moves: this.now.moves.join(',') };
    const found = await this.#ask('check', (signal) => get<Check>('/api/check', params, signal));
    if (!found) return;
    this.clear();
    this.check = found;
  }

  async showCandidates(cell: number): Promise<void> {
    const scene = this.node?.scene;
    if (!scene || scene.cells[cell] !== '') {
      this.options = [];
      return;
    }
    const params = { game: this.game, position: this.start, moves: this.now.moves.join(','), cell: cellName(scene, cell) };
    const found = await get<{ candidates: string[] }>('/api/candidates', params).catch(() => null);
    this.options = found?.candidates ?? [];
  }

  async generate(difficulty: string, options: Record<string, string>): Promise<void> {
    const body = { game: this.game, difficulty: difficulty || undefined, seed: Math.floor(Math.random() * 1e9), options };
    const found = await this.#ask('generate', (signal) => post<{ puzzles: { position: string }[] }>('/api/generate', body, signal));
    if (found) await this.open(this.game, found.puzzles[0].position, [], []);
  }

  async use(game: string, text: string): Promise<string> {
    try {
      await get<Position>('/api/position', { game, position: text, check: true });
    } catch (error) {
      return error instanceof ApiError && error.at !== null ? `${error.message} (at character ${error.at + 1})` : say(error);
    }
    await this.open(game, text, [], []);
    return '';
  }

  cancel(): void {
    this.#work?.abort();
  }
}
