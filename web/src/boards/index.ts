// SPDX-License-Identifier: MIT
// The boards of the page, by the name of the game. A game without one is shown as text.
import type { Component } from 'svelte';
import type { Scene } from '../lib/types';
import Chess from './Chess.svelte';
import Connect4 from './Connect4.svelte';
import Hidato from './Hidato.svelte';
import Kalah from './Kalah.svelte';
import Reversi from './Reversi.svelte';
import Sudoku from './Sudoku.svelte';
import type { BoardKind } from './kit';
import type { PuzzleProps } from './puzzle';

function rows(scene: Scene): string[][] {
  return Array.from({ length: scene.rows }, (_, r) => scene.cells.slice(r * scene.columns, (r + 1) * scene.columns));
}

function filled(scene: Scene, cell: string): Scene {
  return { ...scene, cells: scene.cells.map(() => cell), moves: [], lit: [], stores: scene.stores?.map(() => 0) };
}

/** The placement field of a FEN. Castling and en passant are for those who write a FEN themselves. */
function fen(scene: Scene, side: 0 | 1): string {
  const placed = rows(scene)
    .map((row) => row.map((c) => c || '1').join('').replace(/1+/g, (run) => String(run.length)))
    .join('/');
  return `${placed} ${side === 0 ? 'w' : 'b'} - - 0 1`;
}

export const boards: Record<string, BoardKind> = {
  connect4: {
    component: Connect4,
    sides: ['Yellow', 'Red'],
    palette: [
      { cell: 'x', name: 'yellow stone' },
      { cell: 'o', name: 'red stone' },
      { cell: '', name: 'empty' },
    ],
    write: (scene) => rows(scene).map((row) => row.map((c) => c || '.').join('')).join('/'),
    clear: (scene) => filled(scene, ''),
    chooseSide: false,
  },
  reversi: {
    component: Reversi,
    sides: ['Black', 'White'],
    palette: [
      { cell: 'x', name: 'black disc' },
      { cell: 'o', name: 'white disc' },
      { cell: '', name: 'empty' },
    ],
    write: (scene, side) => scene.cells.map((c) => (c === '' ? '-' : c.toUpperCase())).join('') + (side === 0 ? ' X' : ' O'),
    clear: (scene) => filled(scene, ''),
    chooseSide: true,
  },
  kalah: {
    component: Kalah,
    sides: ['First', 'Second'],
    palette: [
      { cell: '+', name: 'one seed more' },
      { cell: '-', name: 'one seed less' },
      { cell: '0', name: 'empty' },
    ],
    write: (scene, side) =>
      [0, 1]
        .map((p) => [...scene.cells.slice(p * scene.columns, (p + 1) * scene.columns), scene.stores?.[p] ?? 0].join(','))
        .join('/') + ` ${side + 1}`,
    clear: (scene) => filled(scene, '0'),
    chooseSide: true,
  },
  chess: {
    component: Chess,
    sides: ['White', 'Black'],
    palette: [
      ...['K', 'Q', 'R', 'B', 'N', 'P'].map((cell) => ({ cell, name: `white ${cell}` })),
      ...['k', 'q', 'r', 'b', 'n', 'p'].map((cell) => ({ cell, name: `black ${cell}` })),
      { cell: '', name: 'empty' },
    ],
    write: fen,
    clear: (scene) => filled(scene, ''),
    chooseSide: true,
  },
};

export const puzzles: Record<string, Component<PuzzleProps>> = { sudoku: Sudoku, hidato: Hidato };
