import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';
import type { OperationRecord } from '../storage/index.js';
import type { DeadLetters } from '../transport/index.js';
import { discardArguments, replayArguments } from './arguments.js';
import { errorText } from './error-text.js';
import type { OperationControl, OperationHandler } from './operation-handler.js';
import { mostListed, OperationKind, type ReplayArguments, type ReplayResult } from './operation-kind.js';

const pageSize = 500;

export function deadLetterOperations(deadLetters: DeadLetters): readonly (readonly [string, OperationHandler])[] {
  return [
    [
      OperationKind.ReplayDeadLetters,
      {
        async run(operation, control): Promise<ReplayResult> {
          const { deadLetter, ...which } = replayArguments(operation.arguments);
          if (deadLetter === undefined) return await replayAll(deadLetters, which, control);
          await once(operation, () => deadLetters.replay(deadLetter));
          return { replayed: 1, failed: [], failedTotal: 0 };
        },
      },
    ],
    [
      OperationKind.DiscardDeadLetter,
      {
        async run(operation): Promise<object> {
          const { deadLetter, reason } = discardArguments(operation.arguments);
          await once(operation, () => deadLetters.discard(deadLetter, reason));
          return {};
        },
      },
    ],
  ];
}

/** All there are now: one that fails again is put aside again, behind them. */
async function replayAll(
  deadLetters: DeadLetters,
  { direction }: ReplayArguments,
  { signal, progress }: OperationControl,
): Promise<ReplayResult> {
  const wanted: Uuid[] = [];
  for (let after: Uuid | undefined; ;) {
    const page = await deadLetters.list({ limit: pageSize, ...(after !== undefined && { after }) });
    for (const letter of page) if (direction === undefined || letter.direction === direction) wanted.push(letter.id);
    after = page.at(-1)?.id;
    if (page.length < pageSize) break;
  }
  const failed: { id: Uuid; error: string }[] = [];
  let failedTotal = 0;
  for (const [done, id] of wanted.entries()) {
    signal.throwIfAborted();
    progress({ unit: 'dead letters', done, total: wanted.length });
    try {
      await deadLetters.replay(id);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'SVC_STORAGE_UNAVAILABLE') throw error;
      failedTotal++;
      if (failed.length < mostListed) failed.push({ id, error: errorText(error) });
    }
  }
  return { replayed: wanted.length - failedTotal, failed, failedTotal };
}

/** What is done once, by a host that may come after one that was lost when it had done it already, and could not say so. */
async function once({ attempts }: OperationRecord, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (attempts === 1 || !(error instanceof ServiceError) || error.code !== 'SVC_UNKNOWN_DEAD_LETTER') throw error;
    throw new ServiceError(
      error.code,
      `${error.message} The host that was asked first is lost, and may have done it: the system stream says whether.`,
      { cause: error },
    );
  }
}
