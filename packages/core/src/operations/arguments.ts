/** Reads the arguments of requests. They are in the database, and another version of the command may have written them. */
import { ServiceError } from '../errors/index.js';
import { isLowerCaseUuid, type Uuid } from '../json/index.js';
import { DeadLetterCause, type DeadLetterRecord, type OperationRecord } from '../storage/index.js';
import { RebuildMode } from '../system-events/index.js';
import type {
  DiscardArguments,
  EraseArguments,
  RebuildArguments,
  ReplayArguments,
  RetryArguments,
} from './operation-kind.js';

type Given = OperationRecord['arguments'];

export function rebuildArguments({
  mode,
  streams,
  eventsPerSecond,
  acceptFailures,
  reason,
  ...others
}: Given): RebuildArguments {
  requireNone(others);
  requireText(reason);
  const modes: readonly unknown[] = Object.values(RebuildMode);
  if (mode !== undefined && !modes.includes(mode)) throw invalid('mode');
  if (streams !== undefined && !(Array.isArray(streams) && streams.every(isId))) throw invalid('streams');
  if (eventsPerSecond !== undefined && !(typeof eventsPerSecond === 'number' && eventsPerSecond > 0))
    throw invalid('eventsPerSecond');
  if (acceptFailures !== undefined && typeof acceptFailures !== 'boolean') throw invalid('acceptFailures');
  return {
    ...(mode !== undefined && { mode: mode as RebuildMode }),
    ...(streams !== undefined && { streams }),
    ...(eventsPerSecond !== undefined && { eventsPerSecond }),
    ...(acceptFailures !== undefined && { acceptFailures }),
  };
}

export function retryArguments({ stream, reason, ...others }: Given): RetryArguments {
  requireNone(others);
  requireText(reason);
  return stream === undefined ? {} : { stream: id('stream', stream) };
}

export function replayArguments({ deadLetter, direction, cause, reason, ...others }: Given): ReplayArguments {
  requireNone(others);
  requireText(reason);
  if (direction !== undefined && !isDirection(direction)) throw invalid('direction');
  return {
    ...(deadLetter !== undefined && { deadLetter: id('deadLetter', deadLetter) }),
    ...(direction !== undefined && { direction }),
    ...(cause !== undefined && { cause: causeOf(cause) }),
    ...(reason !== undefined && { reason }),
  };
}

export function discardArguments({ deadLetter, cause, reason, ...others }: Given): DiscardArguments {
  requireNone(others);
  if (typeof reason !== 'string' || reason.trim() === '') throw invalid('reason');
  if (cause === undefined) return { deadLetter: id('deadLetter', deadLetter), reason };
  if (deadLetter !== undefined) throw invalid('deadLetter');
  return { cause: causeOf(cause), reason };
}

export function eraseArguments({ reason, ...others }: Given): EraseArguments {
  requireNone(others);
  if (typeof reason !== 'string' || reason.trim() === '') throw invalid('reason');
  return { reason };
}

/** The reason of an operation that does not need one is only recorded. */
function requireText(reason: unknown): asserts reason is string | undefined {
  if (reason !== undefined && typeof reason !== 'string') throw invalid('reason');
}

function isDirection(value: unknown): value is DeadLetterRecord['direction'] {
  return value === 'incoming' || value === 'outgoing' || value === 'scheduled';
}

function causeOf(value: unknown): DeadLetterCause {
  const causes: readonly unknown[] = Object.values(DeadLetterCause);
  if (!causes.includes(value)) throw invalid('cause');
  return value as DeadLetterCause;
}

function id(name: string, value: unknown): Uuid {
  if (!isId(value)) throw invalid(name);
  return value;
}

function isId(value: unknown): value is Uuid {
  return typeof value === 'string' && isLowerCaseUuid(value);
}

/** Throws for unknown arguments: ignoring one could do something else than the operator requested. */
function requireNone(others: object): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw invalid(name);
}

function invalid(name: string): ServiceError {
  return new ServiceError(
    'SVC_INVALID_OPERATION',
    `Cannot run the operation: this host does not understand its argument "${name}". Use the svc command of the same version as the service.`,
  );
}
