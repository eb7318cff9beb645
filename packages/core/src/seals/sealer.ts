import type { LogPage, LogPlace, OutgoingRecord, SealRecord, StorageLeases, StorageSeals } from '../storage/index.js';
import { LogSealed } from '../system-events/index.js';
import { newId } from '../messages/index.js';
import { digestOfCheckpoint, signedText, type Checkpoint, type UnsignedCheckpoint } from './checkpoint.js';
import { EventDigests } from './event-digests.js';
import { hashBytes } from './hashing/hash-batch.js';
import type { Frontier } from './merkle-tree.js';
import { digestOfEntries, SealEntries } from './seal-entries.js';
import type { PrivateSealKey } from './seal-keys.js';
import { signingKeyFor, stateOf, type SealedState } from './sealed-state.js';

/** How many events a checkpoint covers at most. */
export const eventsPerSeal = 10_000;

/** How many events are hashed before other work of the process gets its turn: some milliseconds. */
export const eventsPerTurn = 500;

const nothing: SealedBatch = { events: 0, ageMs: 0 };

export const sealingLane = 'sealing';

export interface SealerParts {
  readonly seals: StorageSeals;
  readonly leases: StorageLeases;
  /** The events after one with a sequence number, in pages of at most `eventsPerTurn`. Other work gets its turn between them. */
  readonly readLog: (afterSequence: number) => AsyncIterable<LogPage>;
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

/** The events after the last checkpoint. */
interface Batch {
  /** Of the first event, in milliseconds since 1970. */
  readonly oldest: number;
  readonly entries: Uint8Array;
  readonly frontier: Frontier;
  readonly last: LogPlace;
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
    const { leases, seals, keys, oldKeyIsLost } = this.#parts;
    if (!(await leases.hold(sealingLane))) {
      this.#state = null;
      return null;
    }
    const state = (this.#state ??= stateOf(await seals.readLast()));
    const key = signingKeyFor(state, keys, oldKeyIsLost);
    const batch = await this.#nextBatch(state);
    if (batch === null) return nothing;
    const checkpoint = this.#checkpointOf(state, batch, key);
    const text = signedText(checkpoint, key);
    // If the response is lost, the seal may be stored.
    this.#state = null;
    const isStored = await seals.append(sealOf(checkpoint, text, batch), [this.#report(checkpoint, text)]);
    if (!isStored) return nothing;
    const signed = JSON.parse(text) as Checkpoint;
    this.#state = { text, checkpoint: signed, frontier: batch.frontier };
    return { events: checkpoint.size - state.frontier.size, ageMs: Math.max(0, Date.now() - batch.oldest) };
  }

  /** Null: there is nothing to seal. Reports of seals alone are not sealed, or an idle log would grow forever. */
  async #nextBatch({ checkpoint, frontier: before }: SealedState): Promise<Batch | null> {
    const frontier = before.copy();
    const entries = new SealEntries();
    let last: LogPlace | null = null;
    let isWorthIt = false;
    let oldest = 0;
    for await (const page of this.#parts.readLog(checkpoint?.end.sequence ?? -1)) {
      const digests = new EventDigests(page);
      const to = Math.min(digests.count, eventsPerSeal - (frontier.size - before.size));
      frontier.addAll(digests.leaves.subarray(0, to * hashBytes));
      entries.add({ digests, from: 0, to });
      if (last === null) oldest = digests.timestampAt(0);
      last = digests.placeAt(to - 1);
      isWorthIt ||= digests.reports.length < to;
      // The rest of a short page is still being appended: the next seal covers it. Pages of records are short if their events are large.
      const isAtEnd = 'bytes' in page && digests.count < eventsPerTurn;
      if (isAtEnd || frontier.size - before.size === eventsPerSeal) break;
    }
    return last === null || !isWorthIt ? null : { entries: entries.bytes, frontier, last, oldest };
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
