/** Converts scopes to JSON and back. Many messages share few scopes, so both directions are cached. */
import { isObject } from '../json/index.js';
import type { EnvelopeScope } from './envelope.js';

const mostRemembered = 1_000;
/** Longer texts are not cached: a thousand of them would take too much memory. */
const longestRemembered = 1_000;

const scopes = new Map<string, EnvelopeScope>();
const texts = new WeakMap<EnvelopeScope, string>();

/** Parses a scope. The result is frozen and shared between messages. Throws if the text is not JSON. */
export function scopeOfText(text: string): EnvelopeScope {
  const known = scopes.get(text);
  if (known !== undefined) return known;
  const scope = Object.freeze(JSON.parse(text)) as EnvelopeScope;
  if (text.length <= longestRemembered && isObject(scope)) remember(scope, text);
  return scope;
}

/** Writes a scope as JSON. */
export function scopeText(scope: EnvelopeScope): string {
  return texts.get(scope) ?? JSON.stringify(scope);
}

function remember(scope: EnvelopeScope, text: string): void {
  // A new text: the given one may be a slice of a longer one, which would stay in memory.
  const written = JSON.stringify(scope);
  // Other programs may write whitespace, or a name twice.
  if (written !== text) return;
  if (scopes.size === mostRemembered) scopes.clear();
  scopes.set(written, scope);
  texts.set(scope, written);
}
