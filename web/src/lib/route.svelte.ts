// SPDX-License-Identifier: MIT
// The address holds everything: #/connect4:7x6?position=44&moves=5,3&ply=1

export class Route {
  path = $state('');
  params = $state<URLSearchParams>(new URLSearchParams());

  constructor() {
    this.read();
    addEventListener('hashchange', () => this.read());
  }

  read(): void {
    const [path, query] = location.hash.replace(/^#\/?/, '').split('?', 2);
    this.path = decodeURIComponent(path);
    this.params = new URLSearchParams(query ?? '');
  }

  /** Changes the address in place: the page's own undo is better than the browser's. */
  keep(path: string, params: Record<string, string | number | undefined>): void {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      if (value !== undefined && value !== '') query.set(name, String(value));
    const text = query.toString();
    history.replaceState(null, '', `#/${path}${text ? '?' + text : ''}`);
  }
}

export function link(path: string, params: Record<string, string> = {}): string {
  const text = new URLSearchParams(params).toString();
  return `#/${path}${text ? '?' + text : ''}`;
}
