/** What a caller is told of a failed command, in no transport's words: each transport says the same in its own. */
import { ValidationError, type Issue } from './validation-error.js';

/** What an error thrown while a command runs is to its caller, by its code. An error that is not here is the service's own fault. */
export const failuresOfCommands = {
  SVC_INVALID_MESSAGE: 'invalid-request',
  SVC_UNAUTHENTICATED: 'unauthenticated',
  SVC_ACCESS_DENIED: 'forbidden',
  SVC_NOT_FOUND: 'not-found',
  SVC_CONCURRENCY_CONFLICT: 'concurrency-conflict',
  SVC_IDEMPOTENCY_KEY_INVALID: 'bad-request',
  SVC_INVALID_TENANT: 'bad-request',
  SVC_IDEMPOTENCY_KEY_IN_USE: 'idempotency-key-in-use',
  SVC_IDEMPOTENCY_KEY_REUSED: 'idempotency-key-reused',
  SVC_COMMAND_REJECTED: 'command-rejected',
  SVC_EVENT_NOT_TAKEN: 'event-not-taken',
  SVC_STORAGE_UNAVAILABLE: 'unavailable',
  SVC_PROPERTY_NOT_READY: 'unavailable',
} as const;

export type CommandFailureName = (typeof failuresOfCommands)[keyof typeof failuresOfCommands];

/** Those of them that are not the caller's doing. */
const failuresOfService: ReadonlySet<CommandFailureName> = new Set(['unavailable', 'event-not-taken']);

/** Whether a command was rejected: it did what it should with what its caller sent, or with what another caller did first. */
export function isRejection(error: unknown): boolean {
  const failure = failureByCode(error, failuresOfCommands);
  return failure !== undefined && !failuresOfService.has(failure.name);
}

export interface CommandFailure<TName extends string = CommandFailureName> {
  readonly name: TName;
  readonly detail: string;
  readonly errors?: readonly Issue[];
}

/** The failure of an error that its code says is meant for the caller; undefined for every other. */
export function failureByCode<TName extends string>(
  error: unknown,
  names: Readonly<Record<string, TName>>,
): CommandFailure<TName> | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  if (!Object.hasOwn(names, error.code)) return undefined;
  const name = names[error.code]!;
  if (!(error instanceof ValidationError)) return { name, detail: boundedText(detailOf(error, error.code)) };
  return { name, detail: 'The request is not valid; see errors.', errors: boundedIssues(error.issues) };
}

/** Where the database is, and what it said, is nobody's business; whether the command may have succeeded all the same is the caller's. */
function detailOf(error: Error, code: string): string {
  const isOurs = code === 'SVC_STORAGE_UNAVAILABLE' && !('outcome' in error && error.outcome === 'unknown');
  return isOurs ? 'The service cannot handle the request at the moment. Try again later.' : error.message;
}

/** Texts that users or callers had a hand in are cut here, so that no answer grows with them. */
const longestText = 1000;
const mostIssues = 100;

export function boundedText(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}…` : text;
}

export function boundedIssues(issues: readonly Issue[]): readonly Issue[] {
  return issues
    .slice(0, mostIssues)
    .map(({ pointer, detail }) => ({ pointer: boundedText(pointer), detail: boundedText(detail) }));
}
