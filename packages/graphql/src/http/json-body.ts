import { isUtf8 } from 'node:buffer';
import { ServiceError, ValidationError, type Issue } from '@svc/core';
import { isPoisonKey, parseJson } from '@svc/core/json';
import { inStep, isJsonInUtf8 } from '@svc/http';
import { errorCodes, type FastifyInstance } from 'fastify';

/** Makes the routes of `app` accept only JSON in UTF-8. */
export function acceptJsonOnly(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (request, bytes, done) => {
    if (isJsonInUtf8(request.headers['content-type'])) inStep(() => parse(bytes as Buffer, done));
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
}

function parse(bytes: Buffer, done: (error: Error | null, body?: unknown) => void): void {
  let body: unknown;
  try {
    body = parseBody(bytes);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new ServiceError('SVC_MALFORMED_JSON', 'The body is empty.');
  if (!isUtf8(bytes)) throw new ServiceError('SVC_MALFORMED_JSON', 'The body is not valid UTF-8.');
  return parseUntrusted(bytes.toString('utf8'));
}

/** The value of a JSON text; throws if it is not JSON, or if one of its keys could reach a prototype. */
export function parseUntrusted(text: string): unknown {
  const value = parseJson(text);
  if (mayHavePoison(text)) rejectPoison(value);
  return value;
}

/** A quick check: most texts have none of these and are not searched. */
function mayHavePoison(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u');
}

/** Rejects keys that could reach a prototype at any depth, also where no reader would see them. */
function rejectPoison(root: unknown): void {
  const issues: Issue[] = [];
  // An explicit stack: a text may be nested deeper than the call stack.
  const pending: { readonly pointer: string; readonly value: unknown }[] = [{ pointer: '', value: root }];
  for (let next = pending.pop(); next !== undefined && issues.length < 100; next = pending.pop()) {
    const { pointer, value } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, item] of Object.entries(value)) {
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (isPoisonKey(key)) issues.push({ pointer: at, detail: 'is not allowed as a key' });
      else if (typeof item === 'object') pending.push({ pointer: at, value: item });
    }
  }
  if (issues.length > 0) throw new ValidationError(issues);
}
