import { requestError } from '../errors/index.js';
import type { Variables } from './literal-values.js';

/**
 * Variables that are copied for each use, because a reader may change its value. A short document can use a long value many times, so every use
 * counts as if it had been sent: throws a `RequestError` if all uses together exceed `mostCharacters`.
 */
export function copiedVariables(
  given: Variables,
  uses: ReadonlyMap<string, number>,
  mostCharacters: number,
): Variables {
  const copied: Record<string, unknown> = { ...given };
  let characters = 0;
  for (const [name, count] of uses) {
    if (count === 1 || !Object.hasOwn(given, name)) continue;
    const text = textOf(name, given[name]);
    characters += count * text.length;
    if (characters > mostCharacters) {
      const message = `The variables have more than ${mostCharacters} characters, "$${name}" counted for each of its ${count} uses.`;
      throw requestError(400, 'LIMIT_EXCEEDED', message);
    }
    Object.defineProperty(copied, name, { get: (): unknown => JSON.parse(text) });
  }
  return copied;
}

function textOf(name: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // On some versions of Node writing uses the call stack; parsing does not. No reader accepts a value nested this deeply.
    if (!(error instanceof RangeError)) throw error;
    throw requestError(
      400,
      'LIMIT_EXCEEDED',
      `The variable "$${name}" is nested too deeply to be used more than once.`,
    );
  }
}
