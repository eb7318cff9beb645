/** Reads what stands in requests. They come from the database, and may be those of another version of the command. */
import { ServiceError } from '../errors/index.js';
import { isLowerCaseUuid, type Uuid } from '../json/index.js';
import { DeadLetterCause, type OperationRecord } from '../storage/index.js';
import { RebuildMode } from '../system-events/index.js';
import type { DiscardArguments, RebuildArguments, ReplayArguments, RetryArguments } from './operation-kind.js';

type Given = OperationRecord['arguments'];

export function rebuildArguments({ mode, streams, eventsPerSecond, ...others }: Given): RebuildArguments {
  requireNone(others);
  const modes: readonly unknown[] = Object.values(RebuildMode);
  if (mode !== undefined && !modes.includes(mode)) throw invalid('mode');
  if (streams !== undefined && !(Array.isArray(streams) && streams.every(isId))) throw invalid('streams');
  if (eventsPerSecond !== undefined && !(typeof eventsPerSecond === 'number' && eventsPerSecond > 0))
    throw invalid('eventsPerSecond');
  return {
    ...(mode !== undefined && { mode: mode as RebuildMode }),
    ...(streams !== undefined && { streams }),
    ...(eventsPerSecond !== undefined && { eventsPerSecond }),
  };
}

export function retryArguments({ stream, ...others }: Given): RetryArguments {
  requireNone(others);
  return stream === undefined ? {} : { stream: id('stream', stream) };
}

export function replayArguments({ deadLetter, direction, cause, ...others }: Given): ReplayArguments {
  requireNone(others);
  if (direction !== undefined && direction !== 'incoming' && direction !== 'outgoing') throw invalid('direction');
  return {
    ...(deadLetter !== undefined && { deadLetter: id('deadLetter', deadLetter) }),
    ...(direction !== undefined && { direction }),
    ...(cause !== undefined && { cause: causeOf(cause) }),
  };
}

export function discardArguments({ deadLetter, cause, reason, ...others }: Given): DiscardArguments {
  requireNone(others);
  if (typeof reason !== 'string' || reason.trim() === '') throw invalid('reason');
  if (cause === undefined) return { deadLetter: id('deadLetter', deadLetter), reason };
  if (deadLetter !== undefined) throw invalid('deadLetter');
  return { cause: causeOf(cause), reason };
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

/** What this host does not know could be what matters most. */
function requireNone(others: object): void {
  const [name] = Object.keys(others);
  if (name !== undefined) throw invalid(name);
}

function invalid(name: string): ServiceError {
  return new ServiceError(
    'SVC_INVALID_OPERATION',
    `The host does not understand "${name}" of the request. Use the svc command of the version that the service has.`,
  );
}
