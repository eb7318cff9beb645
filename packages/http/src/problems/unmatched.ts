/** The problems of requests that no route matches. */
import { longestIndexedText } from '@svc/core/storage';
import { problem, type Problem } from './problem.js';

/** For a path that has only other methods, which are `allowed`. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Problem {
  const verb = allowed.length === 1 ? 'is' : 'are';
  return problem('method-not-allowed', `${method} is not allowed here; ${allowed.join(' and ')} ${verb}.`);
}

/** For a path without a route. */
export function routeNotFound(path: string): Problem {
  return problem('route-not-found', `There is no route ${path}.`);
}

/** For a path that cannot be decoded. */
export function invalidPath(): Problem {
  return problem('bad-request', 'The path has a "%" that no two hexadecimal digits follow, or is not UTF-8.');
}

/** For a path with a part that no key can have. */
export function tooLongPath(): Problem {
  return problem('uri-too-long', `A part of the path has more than ${longestIndexedText} characters.`);
}
