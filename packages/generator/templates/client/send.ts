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
  /** Default: those of the client. */
  readonly retries?: number | undefined;
  /** The error of a response with another status than success; undefined or absent: the problem in its body. */
  readonly failure?: ((response: Response, text: string) => RequestError | undefined) | undefined;
}

/** A successful response. */
export interface Incoming {
  readonly json: unknown;
  readonly headers: Headers;
}

/** Sends a request until it succeeds, is rejected, or has no retries left. */
export async function send(connection: Connection, request: Outgoing): Promise<Incoming> {
  return await attempt(connection, request, (token) => sendOnce(connection, request, token));
}

/** Repeats an attempt until it succeeds, is rejected, or has no retries left. */
export async function attempt<T>(
  connection: Connection,
  { signal, isRepeatable, retries = connection.options.retries ?? 3 }: Outgoing,
  once: (token: string | undefined) => Promise<T>,
): Promise<T> {
  const { retryDelayMs = 250 } = connection.options;
  let rejected: Promise<string> | undefined;
  for (let retried = 0; ;) {
    const token = tokenOf(connection, rejected);
    try {
      return await once(await token);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof RequestError)) throw error;
      if (error.status === 401 && token !== undefined && rejected === undefined) {
        rejected = token;
        continue;
      }
      if (!isTemporary(error) || !isRepeatable || retried >= retries) throw error;
      const backoffMs = Math.min(retryDelayMs * 2 ** retried++, 10_000);
      await delay((error.retryAfterMs ?? 0) + backoffMs * (0.5 + Math.random() / 2), signal);
    }
  }
}

/** A service that asks for more than a minute is not retried: the caller decides. */
function isTemporary({ status, retryAfterMs }: RequestError): boolean {
  return (status === null || status === 429 || status === 503) && (retryAfterMs ?? 0) <= 60_000;
}

export async function sendOnce(
  connection: Connection,
  request: Outgoing,
  token: string | undefined,
): Promise<Incoming> {
  const response = await exchange(connection, request, token);
  const text = await response.text().catch((cause: unknown) => {
    throw noResponse(nameOf(request), cause);
  });
  try {
    return { json: JSON.parse(text), headers: response.headers };
  } catch (cause) {
    throw notOf(response, request, 'JSON', cause);
  }
}

/** Sends a request once. The body of the response is not read. Throws unless the service accepts the request. */
export async function exchange(
  { base, options }: Connection,
  request: Outgoing,
  token: string | undefined,
): Promise<Response> {
  const given = options.headers;
  const headers = new Headers(typeof given === 'function' ? await given() : given);
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, value);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const { method, path, body = null, signal = null } = request;
  // The fetch of a browser must not be called as a method of another object.
  const sendWith = options.fetch ?? fetch;
  let response: Response;
  let text: string;
  try {
    response = await sendWith(base + path, { method, headers, body, signal });
    if (response.ok) return response;
    text = await response.text();
  } catch (cause) {
    throw noResponse(nameOf(request), cause);
  }
  throw request.failure?.(response, text) ?? new RequestError(nameOf(request), failureOf(response, text));
}

/** The error of a response with another content than the service sends. */
export function notOf(response: Response, request: Outgoing, content: string, cause?: unknown): RequestError {
  const detail = `The response is not ${content}. Check the url of the client.`;
  return new RequestError(nameOf(request), { ...failureOf(response, ''), detail }, cause);
}

export function nameOf({ method, path }: Outgoing): string {
  return `${method} ${path.split('?', 1)[0]}`;
}

function noResponse(name: string, cause: unknown): RequestError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const unknown = { status: null, errors: [], reason: null, traceId: null, retryAfterMs: null };
  return new RequestError(name, { type: 'no-response', detail, ...unknown }, cause);
}

export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
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
