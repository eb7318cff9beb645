import { loggedError, scrubbedText } from '@svc/core/hosting';

/** Names of fields and headers with secret values, in any case and with any separator between the words. */
const secretName =
  /^(?:proxy-?)?authorization$|^(?:set-?)?cookie$|pass(?:word|wd|phrase)$|secret$|token$|credential|(?:^|[-_])(?:api|private|access)[-_]?key$|apikey$/i;

/** Values nested deeper are not inspected, and therefore not logged. */
const deepest = 6;
const hidden = '***';

/** The fields of a log line without secrets: fields with a secret name, and secrets within texts. */
export function scrubbedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const scrubbed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    // These have serializers, which include only harmless properties.
    scrubbed[name] = serialized.has(name) ? value : scrub(name, value, 1);
  }
  return scrubbed;
}

const serialized: ReadonlySet<string> = new Set(['req', 'res']);

function scrub(name: string, value: unknown, depth: number): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (secretName.test(name)) return hidden;
  if (typeof value === 'string') return scrubbedText(value);
  if (typeof value !== 'object') return value;
  if (value instanceof Error) return loggedError(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  if (depth === deepest) return '…';
  if (Array.isArray(value)) return value.map((item: unknown) => scrub(name, item, depth + 1));
  const items = Object.entries(value).map(([key, item]) => [key, scrub(key, item, depth + 1)] as const);
  // Keeps the missing prototype of logged errors: loggers check it.
  return Object.assign(
    Object.create(Object.getPrototypeOf(value) === null ? null : Object.prototype) as object,
    Object.fromEntries(items),
  );
}
