import type { ConsumeMessage } from 'amqplib';
import type { TakingParts } from './event-batches.js';
import type { Outbound } from './publisher.js';
import { toDeadLetter } from './wire.js';

/** A delivery that can never be taken, and why. */
export type Letter = readonly [delivery: ConsumeMessage, cause: Error];

/**
 * Publishes dead letters with their causes. Those it returns cannot be published again with all they came with: they are for the broker to put
 * aside, and their causes have been reported.
 */
export async function publishLetters(
  letters: readonly Letter[],
  queue: string,
  { names, publisher, settings }: TakingParts,
): Promise<ReadonlySet<ConsumeMessage>> {
  const left = new Map<Outbound, Letter>(
    letters.map((letter) => [toDeadLetter(letter[0], letter[1], queue, names), letter]),
  );
  const unsendable: Letter[] = [];
  while (left.size > 0) {
    const refused = await publisher.publishTo([...left.keys()]);
    if (refused.length === 0) break;
    for (const outbound of refused) {
      unsendable.push(left.get(outbound)!);
      left.delete(outbound);
    }
  }
  for (const [, cause] of unsendable) settings.report(cause);
  return new Set(unsendable.map(([delivery]) => delivery));
}
