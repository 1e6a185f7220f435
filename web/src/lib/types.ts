// SPDX-License-Identifier: MIT
// What the server sends: docs/http.md describes it.

export interface Value {
  lo: number;
  hi: number;
  outcome: string | null;
  distance: number | null;
  dtz?: number | null;
  dtm?: number | null;
}

export interface MoveValue extends Value {
  move: string;
}

export interface Scene {
  rows: number;
  columns: number;
  cells: string[];
  moves?: { move: string; cells: number[] }[];
  lit?: number[];
  stores?: number[];
  discs?: number[];
  given?: number[];
  candidates?: string[];
  box?: [number, number];
  houses?: number[][];
  neighbours?: 'king' | 'rook' | 'hex';
  last?: number;
}

export interface Position {
  game: string;
  start: string;
  position: string;
  puzzle: boolean;
  side: 0 | 1;
  over: (Value & { words: string }) | null;
  path: { side: 0 | 1; move: string }[];
  text: string;
  scene: Scene | null;
  line: string;
  legal?: string[];
  kind?: string;
}

export interface Answer extends Value {
  status: 'solved' | 'bounded';
  best: string[];
  pv?: string[];
  pv_end?: string;
  moves?: MoveValue[];
  words: string;
  legend?: string;
  engine: string;
  source: string;
  nodes: number;
  seconds: number;
  solutions?: number;
  solutions_complete?: boolean;
  solution?: string | null;
  reason?: string;
  guess?: { value: number; by: string; precision?: number };
}

/** What an engine that reads its own tree tells about it while it thinks. */
export type Sensors = Record<string, number>;

export interface ReviewPly extends Value {
  ply: number;
  side: 0 | 1;
  words: string;
  best: string[];
  played?: MoveValue;
}

export interface JobKind {
  kind: string;
  help: string;
  operands: string;
  keeps: boolean;
}

export interface Technique {
  technique: string;
  title: string;
  rating: number;
  level: string;
  summary: string;
}

export interface Game {
  game: string;
  variant: string;
  title: string;
  summary: string;
  variant_help: string;
  position_help: string;
  score_help: string;
  puzzle: boolean;
  scenes: boolean;
  kind_word?: string;
  min: number;
  max: number;
  examples: string[];
  notations: { name: string; help: string }[];
  engines: string[];
  techniques: Technique[];
  jobs: JobKind[];
}

export interface Hint {
  status: 'hint' | 'done' | 'unsolvable' | 'stuck';
  solutions: number;
  fills?: boolean;
  level?: string;
  where?: string;
  technique?: string;
  title?: string;
  rating?: number;
  summary?: string;
  placements?: string[];
  eliminations?: string[];
  pattern?: string[];
  houses?: string[];
  explanation?: string;
}

export interface Rating {
  status: string;
  solutions: number;
  level?: string;
  rating?: number;
  score?: number;
  steps?: number;
  hardest?: string | null;
}

export interface Progress {
  label: string;
  unit: string;
  done: number;
  total: number;
  parts_done: number;
  parts: number;
  rate: number;
  seconds: number;
  left: number;
  memory: number;
  disk: number;
  layer?: number;
  solved?: number;
  seed_lo?: number;
  seed_hi?: number;
}

export interface Job {
  id: number;
  state: 'running' | 'done' | 'stopped' | 'failed';
  game?: string;
  experiment?: string;
  kind: string;
  name?: string;
  operands: string[];
  progress: Progress;
  history: [number, number, number, number][];
  report?: string;
  error?: { code: string; message: string };
}

export interface Store {
  name: string;
  state: string;
  kind?: string;
  game?: string;
  status?: string;
  stopped?: string;
}

export interface OptionGroup {
  owner: string;
  kind: string;
  use: string;
  purpose?: string;
  options: { name: string; type: string; value?: string; default?: string; min?: number; max?: number; help: string }[];
}
