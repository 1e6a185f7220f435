// SPDX-License-Identifier: MIT
// Tables of experiments.

export interface Table {
  name: string;
  columns: string[];
  rows: string[][];
  /** The columns that can be plotted, by the first of them. */
  numbers: { name: string; values: number[] }[];
}

function readRow(line: string): string[] {
  const cells: string[] = [];
  for (const found of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g))
    cells.push(found[1] !== undefined ? found[1].replace(/""/g, '"') : found[2]);
  return cells;
}

export function readCsv(name: string, csv: string): Table {
  const [head, ...lines] = csv.split(/\r?\n/).filter((line) => line !== '');
  const columns = readRow(head ?? '');
  const rows = lines.map(readRow);
  const numbers = columns
    .map((column, i) => ({ name: column, values: rows.map((row) => Number(row[i])) }))
    .filter((c, i) => c.values.every(Number.isFinite) && rows.every((row) => row[i] !== '') && new Set(c.values).size > 1);
  // A plot goes from left to right.
  const order = rows.map((_, i) => i);
  if (numbers.length > 0) order.sort((a, b) => numbers[0].values[a] - numbers[0].values[b]);
  return { name, columns, rows, numbers: numbers.map((c) => ({ name: c.name, values: order.map((i) => c.values[i]) })) };
}
