// SPDX-License-Identifier: MIT
// What the boards of puzzles share.
import type { Hint, Scene } from '../lib/types';

export interface PuzzleProps {
  scene: Scene;
  selected?: number;
  /** What its owner has struck out: "r1c2<>5". */
  struck?: Set<string>;
  /** Cells with a wrong entry. */
  wrong?: Set<number>;
  hint?: Hint | null;
  candidates?: boolean;
  still?: boolean;
  onselect?: (cell: number) => void;
}

export function cellName(scene: Scene, i: number): string {
  return `r${Math.floor(i / scene.columns) + 1}c${(i % scene.columns) + 1}`;
}

export interface Candidate {
  cell: number;
  value: string;
}

/** "r3c7=5" or "r3c7<>5". */
export function readCandidate(scene: Scene, text: string): Candidate {
  const found = /^r(\d+)c(\d+)(?:=|<>)(.+)$/.exec(text);
  if (!found) return { cell: -1, value: '' };
  return { cell: (Number(found[1]) - 1) * scene.columns + Number(found[2]) - 1, value: found[3] };
}

export function cellsOf(scene: Scene, list: string[] | undefined): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  for (const text of list ?? []) {
    const c = readCandidate(scene, text);
    found.set(c.cell, (found.get(c.cell) ?? new Set()).add(c.value));
  }
  return found;
}

/** The cells of "row 3", "column 2", "box 5"; or of a cell "r3c7". */
export function houseCells(scene: Scene, house: string): number[] {
  const all = scene.cells.map((_, i) => i);
  const cell = /^r(\d+)c(\d+)$/.exec(house);
  if (cell) return [(Number(cell[1]) - 1) * scene.columns + Number(cell[2]) - 1];
  const found = /^(\w+) (\d+)$/.exec(house);
  if (!found) return [];
  const n = Number(found[2]) - 1;
  if (found[1] === 'row') return all.filter((i) => Math.floor(i / scene.columns) === n);
  if (found[1] === 'column') return all.filter((i) => i % scene.columns === n);
  if (found[1] === 'box' && scene.box) {
    const [rows, columns] = scene.box;
    const across = scene.columns / columns;
    return all.filter((i) => Math.floor(Math.floor(i / scene.columns) / rows) * across + Math.floor((i % scene.columns) / columns) === n);
  }
  const extra = scene.houses ?? [];
  return found[1] === 'diagonal' || found[1] === 'window' ? (extra[n] ?? []) : [];
}
