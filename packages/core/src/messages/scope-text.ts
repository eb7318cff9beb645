/**
 * The text of a scope, and the scope of a text. Much is kept and sent for few scopes: what the last texts mean is remembered, so that
 * neither direction is worked out anew for each message.
 */
import { isObject } from '../json/index.js';
import type { EnvelopeScope } from './envelope.js';

const mostRemembered = 1_000;
/** Longer ones would make the memory of a thousand a burden, and are not worth it: it is the many small ones that cost. */
const longestRemembered = 1_000;

const scopes = new Map<string, EnvelopeScope>();
const texts = new WeakMap<EnvelopeScope, string>();

/** Reads a scope. Many messages share what it returns, which is frozen. Throws when the text is no JSON. */
export function scopeOfText(text: string): EnvelopeScope {
  const known = scopes.get(text);
  if (known !== undefined) return known;
  const scope = Object.freeze(JSON.parse(text)) as EnvelopeScope;
  if (text.length <= longestRemembered && isObject(scope)) remember(scope, text);
  return scope;
}

export function scopeText(scope: EnvelopeScope): string {
  return texts.get(scope) ?? JSON.stringify(scope);
}

function remember(scope: EnvelopeScope, text: string): void {
  // A text of its own: the one that was read may be part of a long one, which would stay in memory with it.
  const written = JSON.stringify(scope);
  // Others may write blanks, or a name twice.
  if (written !== text) return;
  if (scopes.size === mostRemembered) scopes.clear();
  scopes.set(written, scope);
  texts.set(scope, written);
}
