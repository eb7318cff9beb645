import { scrubbedText } from './scrubbed-text.js';
import { ValidationError } from './validation-error.js';

/** What a log says of an error: nothing but these. */
export interface LoggedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** With the stacks of the errors that led to it. */
  readonly stack?: string;
}

const mostCauses = 5;

/**
 * An error for a log. Errors of other libraries carry requests with their headers, settings with their passwords and the like as
 * properties: none of them goes along, and texts are without what is known to be a secret by where it stands.
 */
export function loggedError(error: unknown): LoggedError {
  // Without a prototype, so that loggers take its name for its type.
  const logged = Object.create(null) as { -readonly [Key in keyof LoggedError]: LoggedError[Key] };
  if (!(error instanceof Error)) {
    logged.name = typeof error;
    logged.message = 'Something that is not an error was thrown.';
    return logged;
  }
  logged.name = scrubbedText(error.name);
  logged.message = messageOf(error);
  if ('code' in error && typeof error.code === 'string') logged.code = scrubbedText(error.code);
  if (!(error instanceof ValidationError)) logged.stack = scrubbedText(stacksOf(error));
  return logged;
}

/** What is wrong with a message names properties of it, which callers can make up; they are told, and the log how many there are. */
function messageOf(error: Error): string {
  if (!(error instanceof ValidationError)) return scrubbedText(error.message);
  return `The message has ${error.issues.length} ${error.issues.length === 1 ? 'issue' : 'issues'}.`;
}

function stacksOf(error: Error): string {
  const stacks: string[] = [];
  for (let next: unknown = error; next instanceof Error && stacks.length <= mostCauses; next = next.cause) {
    stacks.push(next.stack ?? `${next.name}: ${next.message}`);
  }
  return stacks.join('\ncaused by: ');
}
