import { nextTurn } from '../background/index.js';
import type { OutgoingRecord, SealRecord, StorageLeases, StorageSeals, StoredRecord } from '../storage/index.js';
import { LogSealed } from '../system-events/index.js';
import { newId } from '../messages/index.js';
import { digestOfCheckpoint, signedText, type Checkpoint, type UnsignedCheckpoint } from './checkpoint.js';
import { digestOf } from './event-digest.js';
import { logSealedType } from './log-sealed.js';
import type { Frontier } from './merkle-tree.js';
import { digestOfEntries, SealEntries } from './seal-entries.js';
import type { PrivateSealKey } from './seal-keys.js';
import { signingKeyFor, stateOf, type SealedState } from './sealed-state.js';

/** How many events a checkpoint covers at most. */
export const eventsPerSeal = 10_000;

/** How many events are hashed before other work of the process gets its turn. */
const eventsPerTurn = 200;

export const sealingLane = 'sealing';

export interface SealerParts {
  readonly seals: StorageSeals;
  readonly leases: StorageLeases;
  readonly readAll: (afterSequence: number) => AsyncIterable<StoredRecord>;
  readonly outgoingOf: (event: LogSealed) => OutgoingRecord;
  readonly keys: readonly PrivateSealKey[];
  readonly oldKeyIsLost: boolean;
}

/** The events after the last checkpoint. */
interface Batch {
  readonly entries: Uint8Array;
  readonly frontier: Frontier;
  readonly last: StoredRecord;
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

  /** Seals the next events, and returns how many; null: another host seals. */
  async seal(): Promise<number | null> {
    const { leases, seals, keys, oldKeyIsLost } = this.#parts;
    if (!(await leases.hold(sealingLane))) {
      this.#state = null;
      return null;
    }
    const state = (this.#state ??= stateOf(await seals.readLast()));
    const key = signingKeyFor(state, keys, oldKeyIsLost);
    const batch = await this.#nextBatch(state);
    if (batch === null) return 0;
    const checkpoint = this.#checkpointOf(state, batch, key);
    const text = signedText(checkpoint, key);
    // If the response is lost, the seal may be stored.
    this.#state = null;
    const isStored = await seals.append(sealOf(checkpoint, text, batch), [this.#report(checkpoint, text)]);
    if (!isStored) return 0;
    const signed = JSON.parse(text) as Checkpoint;
    this.#state = { text, checkpoint: signed, frontier: batch.frontier };
    return checkpoint.size - state.frontier.size;
  }

  /** Null: there is nothing to seal. Reports of seals alone are not sealed, or an idle log would grow forever. */
  async #nextBatch({ checkpoint, frontier: before }: SealedState): Promise<Batch | null> {
    const frontier = before.copy();
    const entries = new SealEntries();
    let last: StoredRecord | null = null;
    let isWorthIt = false;
    for await (const record of this.#parts.readAll(checkpoint?.end.sequence ?? -1)) {
      const digest = digestOf(record);
      frontier.add(digest.leaf);
      entries.add(record, digest);
      last = record;
      isWorthIt ||= record.type !== logSealedType;
      const count = frontier.size - before.size;
      if (count === eventsPerSeal) break;
      if (count % eventsPerTurn === 0) await nextTurn();
    }
    return last === null || !isWorthIt ? null : { entries: entries.bytes, frontier, last };
  }

  #checkpointOf(state: SealedState, { entries, frontier, last }: Batch, key: PrivateSealKey): UnsignedCheckpoint {
    const before = state.checkpoint;
    const { sequence, transaction } = last;
    const known = new Map(before?.keys.map(({ id, publicKey }) => [id, publicKey]));
    for (const { id, publicKey } of this.#parts.keys) known.set(id, publicKey);
    return {
      format: 'svc-checkpoint/1',
      log: before?.log ?? newId(),
      number: (before?.number ?? 0) + 1,
      size: frontier.size,
      root: frontier.root.toString('hex'),
      predecessor: state.text === null ? null : digestOfCheckpoint(state.text),
      entries: digestOfEntries(entries),
      end: { sequence, ...(transaction !== undefined && { transaction }) },
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

function sealOf({ number, size, end }: UnsignedCheckpoint, text: string, { entries, frontier }: Batch): SealRecord {
  return { number, size, lastSequence: end.sequence, checkpoint: text, frontier: frontier.bytes, entries };
}
