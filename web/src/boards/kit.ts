// SPDX-License-Identifier: MIT
// What boards share, and what the shell needs to know about a game's board.
import type { Component } from 'svelte';
import type { MoveValue, Scene } from '../lib/types';

export interface BoardProps {
  scene: Scene;
  game: string;
  side: 0 | 1;
  /** Values by move; empty: they are not shown. */
  values?: Record<string, MoveValue>;
  best?: string[];
  last?: number[];
  /** Bounds that say nothing: the range of scores. */
  min?: number;
  max?: number;
  /** A small picture: nothing can be done with it. */
  still?: boolean;
  onmove?: (move: string) => void;
  /** While a position is set up: every cell can be clicked. */
  oncell?: (cell: number) => void;
}

export interface BoardKind {
  component: Component<BoardProps>;
  /** Names of the sides. */
  sides: [string, string];
  /** What a cell can hold while a position is set up, and what that is called. */
  palette: { cell: string; name: string }[];
  /** The position as text; `stores` only in kalah. */
  write(scene: Scene, side: 0 | 1): string;
  /** An empty board. */
  clear(scene: Scene): Scene;
  /** Whether the text tells who moves, so that it can be chosen. */
  chooseSide: boolean;
}

export function moveAt(scene: Scene, cell: number): string | undefined {
  return scene.moves?.find((m) => m.cells.at(-1) === cell)?.move;
}

export function columnName(i: number): string {
  return String.fromCharCode(97 + i);
}

/** Whether keys belong to a field that somebody types into. */
export function isTyping(target: EventTarget | null): boolean {
  const field = target as HTMLInputElement;
  return /^(SELECT|TEXTAREA)$/.test(field.tagName) || (field.tagName === 'INPUT' && field.type !== 'checkbox');
}

/** Enter and Space press what has the focus, as on a button. */
export function press(action: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    action();
  };
}
