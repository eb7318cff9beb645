import { tokenOf, type Connection } from './connection.js';
import { failureOf, RequestError } from './errors.js';

/** A request before its credentials. */
export interface Outgoing {
  readonly method: 'GET' | 'POST';
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal | undefined;
  /** Whether the request can be sent twice. */
  readonly isRepeatable: boolean;
}

/** A successful response. */
export interface Incoming {
  readonly json: unknown;
  readonly headers: Headers;
}

/** Sends a request until it succeeds, is rejected, or has no retries left. */
export async function send(connection: Connection, request: Outgoing): Promise<Incoming> {
  const { retries = 3, retryDelayMs = 250 } = connection.options;
  let rejected: Promise<string> | undefined;
  for (let retried = 0; ;) {
    const token = tokenOf(connection, rejected);
    try {
      return await sendOnce(connection, request, await token);
    } catch (error) {
      request.signal?.throwIfAborted();
      if (!(error instanceof RequestError)) throw error;
      if (error.status === 401 && token !== undefined && rejected === undefined) {
        rejected = token;
        continue;
      }
      if (!isTemporary(error) || !request.isRepeatable || retried >= retries) throw error;
      const backoffMs = Math.min(retryDelayMs * 2 ** retried++, 10_000);
      await delay((error.retryAfterMs ?? 0) + backoffMs * (0.5 + Math.random() / 2), request.signal);
    }
  }
}

/** A service that asks for more than a minute is not retried: the caller decides. */
function isTemporary({ status, retryAfterMs }: RequestError): boolean {
  return (status === null || status === 429 || status === 503) && (retryAfterMs ?? 0) <= 60_000;
}

async function sendOnce(
  { base, options }: Connection,
  { method, path, headers: own, body, signal }: Outgoing,
  token: string | undefined,
): Promise<Incoming> {
  const given = options.headers;
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  // The fetch of a browser must not be called as a method of another object.
  const exchange = options.fetch ?? fetch;
  const name = `${method} ${path.split('?', 1)[0]}`;
  let response: Response;
  let text: string;
  try {
    response = await exchange(base + path, { method, headers, body: body ?? null, signal: signal ?? null });
    text = await response.text();
  } catch (cause) {
    throw noResponse(name, cause);
  }
  if (!response.ok) throw new RequestError(name, failureOf(response, text));
  try {
    return { json: JSON.parse(text), headers: response.headers };
  } catch (cause) {
    const detail = 'The response is not JSON. Check the url of the client.';
    throw new RequestError(name, { ...failureOf(response, ''), detail }, cause);
  }
}

function noResponse(name: string, cause: unknown): RequestError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const unknown = { status: null, errors: [], traceId: null, retryAfterMs: null };
  return new RequestError(name, { type: 'no-response', detail, ...unknown }, cause);
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', stop);
  });
}
