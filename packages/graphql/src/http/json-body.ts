import { ServiceError, ValidationError, type Issue } from '@svc/core';
import { isPoisonKey, parseJson } from '@svc/core/json';
import { bodyTooLarge, inStep, isJsonInUtf8, readEncodedText } from '@svc/http/hosting';
import { errorCodes, type FastifyInstance } from 'fastify';

/** Makes the routes of `app` accept only JSON in UTF-8. */
export function acceptJsonOnly(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, body, done) => {
    const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = request.headers;
    if (!isJsonInUtf8(type)) {
      done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
    } else if (Number(length) > bodyLimit) {
      done(bodyTooLarge());
    } else {
      // A hook of the host may have decoded it.
      readEncodedText(body, body === request.raw ? encoding : undefined, bodyLimit, (error, text = '') => {
        if (error === null) inStep(() => parse(text, done));
        else done(error);
      });
    }
  });
}

function parse(text: string, done: (error: Error | null, body?: unknown) => void): void {
  let body: unknown;
  try {
    body = parseBody(text);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

function parseBody(text: string): unknown {
  if (text === '') throw new ServiceError('SVC_MALFORMED_JSON', 'The body is empty.');
  return parseUntrusted(text);
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
