import type { ConsumeMessage } from 'amqplib';
import type { HandlerParts } from './handler-parts.js';
import type { Outbound } from './outbound.js';
import { toDeadLetter } from './wire.js';

/** A delivery that can never be processed, and why. */
export type DeadLetter = readonly [delivery: ConsumeMessage, cause: Error];

/**
 * Publishes dead letters with their causes. Returns those that are too large to publish with a cause: the broker must dead-letter them
 * unchanged, and their causes have been reported.
 */
export async function publishDeadLetters(
  letters: readonly DeadLetter[],
  queue: string,
  { names, publisher, settings }: HandlerParts,
): Promise<ReadonlySet<ConsumeMessage>> {
  const left = new Map<Outbound, DeadLetter>(
    letters.map((letter) => [toDeadLetter(letter[0], letter[1], queue, names), letter]),
  );
  const unsendable: DeadLetter[] = [];
  while (left.size > 0) {
    const unsent = await publisher.publishTo([...left.keys()]);
    if (unsent.length === 0) break;
    for (const outbound of unsent) {
      unsendable.push(left.get(outbound)!);
      left.delete(outbound);
    }
  }
  for (const [, cause] of unsendable) settings.report(cause);
  return new Set(unsendable.map(([delivery]) => delivery));
}
