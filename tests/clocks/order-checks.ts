/** What must be true of models of a log, whatever the clocks of its hosts say. */
import { expect } from 'vitest';
import { causalOrder } from '../perspectives/causal-order.js';
import type { LoggedEvent, PerspectiveName } from './skewed-hosts.js';

export type Causes = ReadonlyMap<string, Iterable<string>>;

export interface LedgerModel {
  readonly perspective: PerspectiveName;
  readonly key: string;
  readonly labels: readonly string[];
}

export function isOf({ perspective, key }: Pick<LedgerModel, 'perspective' | 'key'>, event: LoggedEvent): boolean {
  return (perspective === 'Streams' ? event.streamId : event.ledger) === key;
}

/** What a model should be, given the log of its database. */
export function expectedLabels({ perspective, key }: LedgerModel, log: readonly LoggedEvent[]): readonly string[] {
  const events = log.filter((event) => isOf({ perspective, key }, event));
  // In one stream the order is that of ids, with whatever the log says.
  const ordered = perspective === 'Streams' ? events.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : causalOrder(events);
  return ordered.map(({ label }) => label!);
}

/** Where a model has an event twice, or before one of its causes. */
export function violations(labels: readonly string[], causes: Causes): string[] {
  const places = new Map(labels.map((label, place) => [label, place]));
  const twice = labels.filter((label, place) => places.get(label) !== place);
  const early = labels.flatMap((label) =>
    [...(causes.get(label) ?? [])]
      .filter((cause) => (places.get(cause) ?? -1) > places.get(label)!)
      .map((cause) => `${label} is before ${cause}, which caused it`),
  );
  return [...twice.map((label) => `${label} occurs twice`), ...early];
}

export function expectSame(found: unknown, expected: unknown, what: string): void {
  expect(found, `wrong: ${what}`).toEqual(expected);
}
