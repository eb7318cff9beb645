import type { DigestedEvents, OutgoingRecord, SealRecord, StorageLeases, StorageSeals } from '../storage/index.js';
import { LogSealed } from '../system-events/index.js';
import { newId } from '../messages/index.js';
import { digestOfCheckpoint, signedText, type Checkpoint, type UnsignedCheckpoint } from './checkpoint.js';
import type { EventDigester } from './event-digester.js';
import { Frontier } from './merkle-tree.js';
import { digestOfEntries } from './seal-entries.js';
import type { PrivateSealKey } from './seal-keys.js';
import { signingKeyFor, stateOf, type SealedState } from './sealed-state.js';

const nothing: SealedBatch = { events: 0, ageMs: 0 };

export const sealingLane = 'sealing';

export interface SealerParts {
  readonly seals: StorageSeals;
  readonly leases: StorageLeases;
  readonly digester: EventDigester;
  readonly outgoingOf: (event: LogSealed) => OutgoingRecord;
  readonly keys: readonly PrivateSealKey[];
  readonly oldKeyIsLost: boolean;
}

/** What was sealed. */
export interface SealedBatch {
  /** How many events the checkpoint covers that no previous one did. */
  readonly events: number;
  /** How old the oldest of them was when the seal was stored, in milliseconds. */
  readonly ageMs: number;
}

/**
 * Seals the events of a log. One host does so at a time, by a lease. Two hosts that both believe to hold it store no second checkpoint of the same
 * number: the database rejects it, and the host continues after the one that is stored.
 */
export class Sealer {
  readonly #parts: SealerParts;
  /** Null: another host may have sealed events. */
  #state: SealedState | null = null;

  constructor(parts: SealerParts) {
    this.#parts = parts;
  }

  /** The last checkpoint that this host knows; null: there is none, or another host seals. */
  get last(): Checkpoint | null {
    return this.#state?.checkpoint ?? null;
  }

  /** Seals the next events; null: another host seals. */
  async seal(): Promise<SealedBatch | null> {
    const { leases, seals, digester, keys, oldKeyIsLost } = this.#parts;
    if (!(await leases.hold(sealingLane))) {
      this.#state = null;
      await digester.close();
      return null;
    }
    const state = (this.#state ??= stateOf(await seals.readLast()));
    const key = signingKeyFor(state, keys, oldKeyIsLost);
    const events = await digester.next(state.checkpoint?.end.sequence ?? -1, state.frontier);
    if (events === null) return nothing;
    const frontier = Frontier.of(events.size, events.frontier)!;
    const checkpoint = this.#checkpointOf(state, { ...events, root: frontier.root }, key);
    const text = signedText(checkpoint, key);
    // If the response is lost, the seal may be stored.
    this.#state = null;
    const isStored = await seals.append(sealOf(checkpoint, text, events), [this.#report(checkpoint, text)]);
    if (!isStored) return nothing;
    const signed = JSON.parse(text) as Checkpoint;
    this.#state = { text, checkpoint: signed, frontier };
    return { events: checkpoint.size - state.frontier.size, ageMs: Math.max(0, Date.now() - events.oldest) };
  }

  #checkpointOf(
    state: SealedState,
    { entries, size, root, last }: DigestedEvents & { readonly root: Buffer },
    key: PrivateSealKey,
  ): UnsignedCheckpoint {
    const before = state.checkpoint;
    const known = new Map(before?.keys.map(({ id, publicKey }) => [id, publicKey]));
    for (const { id, publicKey } of this.#parts.keys) known.set(id, publicKey);
    return {
      format: 'svc-checkpoint/1',
      log: before?.log ?? newId(),
      number: (before?.number ?? 0) + 1,
      size,
      root: root.toString('hex'),
      predecessor: state.text === null ? null : digestOfCheckpoint(state.text),
      entries: digestOfEntries(entries),
      end: last,
      time: new Date().toISOString(),
      keys: [...known].map(([id, publicKey]) => ({ id, publicKey })),
      key: key.id,
    };
  }

  #report({ number, size, root, predecessor, key, time }: UnsignedCheckpoint, checkpoint: string): OutgoingRecord {
    const event = Object.assign(new LogSealed(), { number, size, root, keyId: key, checkpoint });
    event.timestamp = new Date(time);
    if (predecessor !== null) event.predecessor = predecessor;
    return this.#parts.outgoingOf(event);
  }
}

function sealOf(
  { number, size, end }: UnsignedCheckpoint,
  text: string,
  { frontier, entries }: DigestedEvents,
): SealRecord {
  return { number, size, lastSequence: end.sequence, checkpoint: text, frontier, entries };
}
