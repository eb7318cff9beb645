import { scrubbedText } from './scrubbed-text.js';
import { ValidationError } from './validation-error.js';

/** An error as it is logged: these fields and no others. */
export interface LoggedError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Includes the stacks of its causes. */
  readonly stack?: string;
}

const mostCauses = 5;

/**
 * Converts an error for logging: name, code, message and stack, with secrets removed from the texts.
 * Other properties are dropped: errors of libraries carry headers and passwords in them.
 */
export function loggedError(error: unknown): LoggedError {
  // Without a prototype, so that loggers show its name as its type.
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

/** Issues name properties that callers choose: the response lists them, the log only counts them. */
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
