import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import type { DeadLetterCause, DeadLetterRecord, OperationRecord } from '../storage/index.js';
import type { DeadLetters } from '../transport/index.js';
import { discardArguments, replayArguments } from './arguments.js';
import { errorText } from './error-text.js';
import type { OperationControl, OperationHandler } from './operation-handler.js';
import {
  mostListed,
  OperationKind,
  type DiscardResult,
  type ReplayArguments,
  type ReplayResult,
} from './operation-kind.js';

const pageSize = 500;

/** The operations on dead letters, by kind. */
export function deadLetterOperations(deadLetters: DeadLetters): readonly (readonly [string, OperationHandler])[] {
  return [
    [
      OperationKind.ReplayDeadLetters,
      {
        async run(operation, control): Promise<ReplayResult> {
          const { deadLetter, ...which } = replayArguments(operation.arguments);
          if (deadLetter === undefined) return await replayAll(deadLetters, which, control);
          await once(operation, () => deadLetters.replay(deadLetter, which.reason));
          return { replayed: 1, failed: [], failedTotal: 0 };
        },
      },
    ],
    [
      OperationKind.DiscardDeadLetter,
      {
        async run(operation, control): Promise<DiscardResult> {
          const { reason, ...which } = discardArguments(operation.arguments);
          if ('cause' in which) return await discardAll(deadLetters, which.cause, reason, control);
          await once(operation, () => deadLetters.discard(which.deadLetter, reason));
          return { discarded: 1 };
        },
      },
    ],
  ];
}

/** Replays the dead letters that exist now. One that fails again becomes a new dead letter after them. */
async function replayAll(
  deadLetters: DeadLetters,
  { direction, cause, reason }: ReplayArguments,
  { signal, progress }: OperationControl,
): Promise<ReplayResult> {
  const wanted = await idsOf(
    deadLetters,
    (letter) =>
      (direction === undefined || letter.direction === direction) && (cause === undefined || letter.cause === cause),
  );
  const failed: { id: Uuid; error: string }[] = [];
  let failedTotal = 0;
  for (const [done, id] of wanted.entries()) {
    signal.throwIfAborted();
    progress({ unit: 'dead letters', done, total: wanted.length });
    try {
      await deadLetters.replay(id, reason);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'SVC_STORAGE_UNAVAILABLE') throw error;
      failedTotal++;
      if (failed.length < mostListed) failed.push({ id, error: errorText(error) });
    }
  }
  return { replayed: wanted.length - failedTotal, failed, failedTotal };
}

/** Discards the dead letters that exist now. Another operator may replay or discard some of them first. */
async function discardAll(
  deadLetters: DeadLetters,
  cause: DeadLetterCause,
  reason: string,
  { signal, progress }: OperationControl,
): Promise<DiscardResult> {
  const wanted = await idsOf(deadLetters, (letter) => letter.cause === cause);
  let discarded = 0;
  for (const [done, id] of wanted.entries()) {
    signal.throwIfAborted();
    progress({ unit: 'dead letters', done, total: wanted.length });
    try {
      await deadLetters.discard(id, reason);
      discarded++;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'SVC_UNKNOWN_DEAD_LETTER') throw error;
    }
  }
  return { discarded };
}

/** Only the ids: messages may be large. */
async function idsOf(deadLetters: DeadLetters, isWanted: (letter: DeadLetterRecord) => boolean): Promise<Uuid[]> {
  const wanted: Uuid[] = [];
  for (let after: Uuid | undefined; ;) {
    const page = await deadLetters.list({ limit: pageSize, ...(after !== undefined && { after }) });
    for (const letter of page) if (isWanted(letter)) wanted.push(letter.id);
    after = page.at(-1)?.id;
    if (page.length < pageSize) return wanted;
  }
}

/** Runs an action that may already be done: an earlier host may have been lost after the action and before it recorded it. */
async function once({ attempts }: OperationRecord, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (attempts === 1 || !(error instanceof ServiceError) || error.code !== 'SVC_UNKNOWN_DEAD_LETTER') throw error;
    throw new ServiceError(
      error.code,
      `${error.message} An earlier host was lost during this operation, and may have completed it. Check the system stream.`,
      { cause: error },
    );
  }
}
