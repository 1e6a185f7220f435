// SPDX-License-Identifier: MIT
export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'holos-theme';

export function theme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

export function setTheme(t: Theme): void {
  localStorage.setItem(KEY, t);
  document.documentElement.dataset.theme = t;
}
