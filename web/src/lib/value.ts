// SPDX-License-Identifier: MIT
// Values as people read them: a sign, a number, a colour and a shape, so that no colour is needed.
import type { Value } from './types';

export type Tone = 'win' | 'draw' | 'loss' | 'open';

export function isSolved(v: Value): boolean {
  return v.lo === v.hi;
}

export function tone(v: Value): Tone {
  if (v.lo > 0) return 'win';
  if (v.hi < 0) return 'loss';
  return v.lo === 0 && v.hi === 0 ? 'draw' : 'open';
}

export const shapes: Record<Tone, string> = { win: '▲', draw: '■', loss: '▼', open: '◆' };

export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0';
}

/** A short label for a board. Chess has no scores: its results are words, and what counts is how far they are. */
export function short(v: Value, game: string, min = -Infinity, max = Infinity): string {
  if (game === 'chess') {
    if (!isSolved(v)) return tone(v) === 'open' ? '?' : tone(v) === 'win' ? 'W' : 'L';
    if (v.lo === 0) return '=';
    const plies = v.dtm ?? (v.distance != null ? v.distance : null);
    const letter = v.lo === 2 ? 'W' : v.lo === 1 ? 'w' : v.lo === -1 ? 'l' : 'L';
    return plies != null ? `${letter}${Math.abs(plies)}` : letter;
  }
  if (isSolved(v)) return signed(v.lo);
  if (v.lo > min && v.hi < max) return `${signed(v.lo)}…${signed(v.hi)}`;
  if (v.lo > min) return `≥${signed(v.lo)}`;
  if (v.hi < max) return `≤${signed(v.hi)}`;
  return '?';
}

/** The same for a screen reader. */
export function spoken(v: Value, game: string): string {
  if (!isSolved(v)) return tone(v) === 'open' ? 'not known yet' : `a ${tone(v)}, score not settled`;
  const outcome = v.outcome ?? tone(v);
  if (game === 'chess') {
    const plies = v.dtm ?? v.distance;
    return plies ? `${outcome} in ${Math.abs(plies)} plies` : outcome;
  }
  return v.lo === 0 ? 'draw' : `${outcome}, ${v.lo > 0 ? 'plus' : 'minus'} ${Math.abs(v.lo)}`;
}

export function count(n: number): string {
  return n.toLocaleString('en');
}

export function rough(n: number): string {
  const units: [number, string][] = [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ];
  for (const [size, unit] of units) if (n >= size) return `${(n / size).toFixed(n >= 10 * size ? 0 : 1)} ${unit}`;
  return String(Math.round(n));
}

export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  for (; n >= 1024 && i < units.length - 1; i++) n /= 1024;
  return `${n >= 100 || i === 0 ? Math.round(n) : n.toFixed(1)} ${units[i]}`;
}

export function duration(s: number): string {
  if (s < 1) return `${Math.max(1, Math.round(s * 1000))} ms`;
  if (s < 60) return `${s.toFixed(1)} s`;
  const m = Math.floor(s / 60);
  return m < 60 ? `${m}:${String(Math.floor(s % 60)).padStart(2, '0')}` : `${Math.floor(m / 60)} h ${m % 60} min`;
}
