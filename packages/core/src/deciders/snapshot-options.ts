import { ClassNotes, type Event } from '../messages/index.js';
import type { DeciderClass } from './decider.js';

/** Options of `@snapshot`. */
export interface SnapshotOptions {
  /** After how many events of a stream svc stores the next snapshot. */
  readonly every: number;
  /**
   * Increase it when `initial` or `evolve` return another state for the same events: svc then ignores the existing snapshots. svc detects changes
   * of the type of the state, and of the events, without it. Default: 1.
   */
  readonly version?: number;
}

const known = new ClassNotes<Required<SnapshotOptions>>();

/**
 * Stores snapshots of the state of long streams, so that loading one does not read all its events. Use it as a decorator, or call it with the
 * class.
 *
 * @example
 * ```ts
 * @snapshot({ every: 100, version: 1 })
 * export class Account implements Decider<AccountState, Deposited | Withdrawn> {
 * ```
 */
export function snapshot({
  every,
  version = 1,
}: SnapshotOptions): <TState extends object>(
  target: DeciderClass<TState, Event>,
  context?: ClassDecoratorContext,
) => void {
  for (const [name, value] of Object.entries({ every, version })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`${name} of a snapshot must be an integer of at least 1, not ${value}.`);
    }
  }
  return (target, context) => known.add(target, { every, version }, context);
}

/** Null: the decider has no snapshots. */
export function snapshotOptionsOf(decider: object): Required<SnapshotOptions> | null {
  return known.of(decider) ?? null;
}
