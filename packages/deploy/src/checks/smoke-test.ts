import { validateHeaderValue } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from './http-request.js';
import type { SmokeRequest } from './settings.js';
import { filledIn } from './variables.js';

/** How long the created resource may take to become readable: models are updated shortly after a command. */
const patienceMs = 5_000;
const againMs = 100;

/** Creates a resource, then reads it. */
export async function smokeTest(
  url: string,
  { create, read }: { readonly create: SmokeRequest; readonly read: SmokeRequest },
  signal: AbortSignal,
): Promise<string> {
  const created = await send('create', url, create, undefined, signal);
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      await send('read', url, read, created, signal);
      break;
    } catch (error) {
      const isNotThereYet = error instanceof UnexpectedStatus && error.status === 404 && read.method === 'GET';
      if (!isNotThereYet || Date.now() > end) throw error;
    }
    await sleep(againMs, undefined, { signal });
  }
  return `${create.method} ${create.path}, then ${read.method} ${read.path}`;
}

class UnexpectedStatus extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

async function send(
  step: string,
  url: string,
  { method, path, body, headers, status }: SmokeRequest,
  earlier: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const filledPath = filled(path, earlier, encodeURIComponent);
  const given = headersOf(headers);
  const answer = await request(new URL(filledPath, url), {
    method,
    headers: body === undefined ? given : { 'content-type': 'application/json', ...given },
    ...(body === undefined
      ? {}
      : { body: filled(JSON.stringify(body), earlier, (value) => JSON.stringify(value).slice(1, -1)) }),
    signal,
  });
  const text = await answer.text();
  if (answer.status !== status) {
    throw new UnexpectedStatus(
      `${step}: ${method} ${filledPath} returned ${answer.status} instead of ${status}: ${text.slice(0, 200)}`,
      answer.status,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Headers with their variables filled in. Invalid values are rejected here, because `fetch` would repeat them in its error. */
function headersOf(headers: SmokeRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, setting]) => {
      const value = filledIn(setting).trim();
      validateHeaderValue(name, value);
      return [name, value];
    }),
  );
}

/** Replaces `{/orderId}` with that value of the earlier response. */
function filled(text: string, earlier: unknown, written: (value: string) => string): string {
  return text.replace(/\{((?:\/[^{}/"]+)+)\}/g, (_, pointer: string) => {
    const value = pointer
      .slice(1)
      .split('/')
      .reduce<unknown>((part, key) => (part as Record<string, unknown> | null | undefined)?.[key], earlier);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error(`the response to the create request has no ${pointer}`);
    return written(String(value));
  });
}
