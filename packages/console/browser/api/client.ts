/** Requests to the API of the console, typed by the contract. */
import { signal } from '@preact/signals';
import type { Query } from '../shell/router.js';
import type { Answers } from './answers.js';
import { credential, rejectCredential } from './credential.js';
import { notReached, problemIn } from './problem.js';

export interface CallOptions {
  /** The values in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The database that operators look at, in a service with several; null: the first. */
export const database = signal<string | null>(null);

export async function call<TName extends keyof Answers>(
  name: TName,
  options: CallOptions = {},
): Promise<Answers[TName]> {
  const response = await send(name, options);
  return (await response.json()) as Answers[TName];
}

/** The response itself, for files. */
export async function send(
  name: string,
  { params = {}, query = {}, body, signal: ends }: CallOptions,
): Promise<Response> {
  const [method, path] = name.split(' ') as ['GET' | 'POST', string];
  const address = addressOf(path, params, { database: path === '/sign-in' ? null : database.value, ...query });
  const sent = credential.value;
  const response = await fetch(address, {
    method,
    headers: {
      accept: 'application/json',
      ...(sent !== null && { [sent.header]: sent.value }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(ends !== undefined && { signal: ends }),
    credentials: 'same-origin',
    cache: 'no-store',
  }).catch((error: unknown) => {
    throw ends?.aborted === true ? error : notReached();
  });
  if (response.ok) return response;
  const problem = await problemIn(response);
  if (response.status === 401 && sent !== null && sent === credential.value) {
    rejectCredential(problem.message || problem.title);
  }
  throw problem;
}

/** The address of an operation, relative to the page. */
export function addressOf(path: string, params: Readonly<Record<string, string>>, query: Query): string {
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name]!));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.append(name, String(value));
  }
  const text = parameters.toString();
  return `console/api${filled}${text === '' ? '' : `?${text}`}`;
}
