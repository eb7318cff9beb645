/** How a failed command is reported to its caller. REST and GraphQL translate these names into their own formats. */
import { ValidationError, type Issue } from './validation-error.js';

/** The failure that a caller sees, by the code of the error that a command threw. Every other error is an internal error. */
export const commandFailures = {
  SVC_INVALID_MESSAGE: 'invalid-request',
  SVC_UNAUTHENTICATED: 'unauthenticated',
  SVC_ACCESS_DENIED: 'forbidden',
  SVC_NOT_FOUND: 'not-found',
  SVC_CONCURRENCY_CONFLICT: 'concurrency-conflict',
  SVC_IDEMPOTENCY_KEY_INVALID: 'bad-request',
  SVC_SEALED_INPUT: 'bad-request',
  SVC_INVALID_TENANT: 'bad-request',
  SVC_UNKNOWN_TENANT: 'forbidden',
  SVC_IDEMPOTENCY_KEY_IN_USE: 'idempotency-key-in-use',
  SVC_IDEMPOTENCY_KEY_REUSED: 'idempotency-key-reused',
  SVC_COMMAND_REJECTED: 'command-rejected',
  SVC_EVENT_NOT_TAKEN: 'event-not-taken',
  SVC_STORAGE_UNAVAILABLE: 'unavailable',
  SVC_STREAM_BUSY: 'unavailable',
  SVC_PROPERTY_NOT_READY: 'unavailable',
  SVC_AUDIT_NOT_READY: 'unavailable',
} as const;

/** The names of the failures that a caller can see. */
export type CommandFailureName = (typeof commandFailures)[keyof typeof commandFailures];

/** The failures that the caller did not cause. */
const serviceFailures: ReadonlySet<CommandFailureName> = new Set(['unavailable', 'event-not-taken']);

/** Whether an error rejects a command because of its request, or because of what another caller did first. */
export function isRejection(error: unknown): boolean {
  const failure = failureByCode(error, commandFailures);
  return failure !== undefined && !serviceFailures.has(failure.name);
}

/** A failed command as its caller sees it: the failure, a sentence, and the issues of an invalid request. */
export interface CommandFailure<TName extends string = CommandFailureName> {
  readonly name: TName;
  readonly detail: string;
  readonly errors?: readonly Issue[];
  /** The business rule that rejected the command. Absent: the error names none. */
  readonly reason?: string;
}

/** Looks up the failure that a caller sees for an error; undefined when its code has none in `names`. */
export function failureByCode<TName extends string>(
  error: unknown,
  names: Readonly<Record<string, TName>>,
): CommandFailure<TName> | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (!Object.hasOwn(names, error.code)) return undefined;
  const name = names[error.code]!;
  if (!(error instanceof ValidationError)) {
    const reason = 'reason' in error && typeof error.reason === 'string' ? { reason: boundedText(error.reason) } : {};
    return { name, detail: boundedText(detailOf(error, error.code)), ...(name === 'command-rejected' && reason) };
  }
  return { name, detail: 'The request is not valid; see errors.', errors: boundedIssues(error.issues) };
}

/** Callers must not learn what the database reported, but must learn that the outcome of their command is unknown. */
function detailOf(error: Error, code: string): string {
  const isInternal = code === 'SVC_STORAGE_UNAVAILABLE' && !('outcome' in error && error.outcome === 'unknown');
  return isInternal ? 'The service cannot process the request at the moment. Try again later.' : error.message;
}

const longestText = 1000;
const mostIssues = 100;

/** Truncates a text to 1,000 characters: callers can influence it, and must not enlarge responses. */
export function boundedText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}…` : text;
}

/** Truncates a list of issues to 100 entries, and the texts of each entry. */
export function boundedIssues(issues: readonly Issue[]): readonly Issue[] {
  return issues
    .slice(0, mostIssues)
    .map(({ pointer, detail }) => ({ pointer: boundedText(pointer), detail: boundedText(detail) }));
}
