// SPDX-License-Identifier: MIT
// Asking the server. Nothing else is ever asked: the policy of the page forbids it.

export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly at: number | null,
  ) {
    super(message);
  }
}

export type Params = Record<string, string | number | boolean | undefined>;

function url(path: string, params: Params = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body = await response.json().catch(() => null);
  const error = body?.error ?? { message: `the server answered ${response.status}`, code: 'http', at: null };
  throw new ApiError(error.message, error.code, error.at ?? null);
}

async function ask(input: string, init: RequestInit): Promise<Response> {
  try {
    return await checked(await fetch(input, init));
  } catch (error) {
    if (error instanceof TypeError)
      throw new ApiError('the server does not answer: is holos serve still running?', 'offline', null);
    throw error;
  }
}

export async function get<T>(path: string, params: Params = {}, signal?: AbortSignal): Promise<T> {
  const body = await (await ask(url(path, params), { signal })).json();
  if (body.error) throw new ApiError(body.error.message, body.error.code, body.error.at);
  return body;
}

const KEY = 'holos-token';

/** The token is in the address that holos serve prints; the page keeps it for the browser's other tabs. */
export function takeToken(): void {
  const found = /[#&]token=([0-9a-f]+)/.exec(location.hash);
  if (!found) return;
  localStorage.setItem(KEY, found[1]);
  history.replaceState(null, '', location.pathname + location.hash.replace(/[#&]token=[0-9a-f]+/, '') || '/');
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { 'Content-Type': 'application/json', 'X-Holos-Token': localStorage.getItem(KEY) ?? '' };
  return (await ask(path, { method: 'POST', headers, body: JSON.stringify(body), signal })).json();
}

export interface ServerEvent {
  name: string;
  data: any;
}

/** Server-sent events, until they end or `signal` aborts, which also ends the work behind them. */
export async function* events(path: string, params: Params, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const response = await ask(url(path, params), { signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer += value;
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const lines = buffer.slice(0, end).split('\n');
      buffer = buffer.slice(end + 2);
      const name = lines.find((l) => l.startsWith('event: '))?.slice(7);
      const data = lines.find((l) => l.startsWith('data: '))?.slice(6);
      if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) };
    }
  }
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function say(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
