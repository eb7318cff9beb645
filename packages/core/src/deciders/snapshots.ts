import { createHash } from 'node:crypto';
import { BackgroundWorker, detached } from '../background/index.js';
import { readOrThrow, withoutMarks, type Uuid } from '../json/index.js';
import type { SnapshotRecord, StorageSnapshots } from '../storage/index.js';
import type { NamedDecider, StateSnapshots } from './decider.js';
import type { StreamState } from './stream-state.js';

/** How many snapshots can wait to be stored. Another one is stored after a later command. */
const mostWaiting = 1_000;

interface OfferedSnapshot {
  readonly named: NamedDecider;
  readonly form: StateSnapshots;
  readonly streamId: Uuid;
  readonly at: StreamState;
}

/** Reads and stores the snapshots of one database. A missing or damaged snapshot costs time, never correctness. */
export class Snapshots {
  readonly worker: BackgroundWorker;
  readonly #storage: StorageSnapshots;
  readonly #offered = new Map<string, OfferedSnapshot>();

  constructor(storage: StorageSnapshots, report: (error: unknown) => void) {
    this.#storage = storage;
    this.worker = new BackgroundWorker(() => this.#storeNext(), report);
  }

  /** The state at the last snapshot; null: there is none that can be used. The caller checks that its event is in the stream. */
  async read({ name, snapshots: form }: NamedDecider, streamId: Uuid): Promise<StreamState | null> {
    if (form === null) return null;
    const record = await this.#storage.read(name, streamId, form.version);
    if (record === null || record.checksum !== checksumOf(record)) return null;
    try {
      const state = readOrThrow(form.readState, JSON.parse(record.state), { isStored: true });
      return { state, exists: true, position: record.position, eventId: record.eventId };
    } catch {
      return null;
    }
  }

  /** Stores a snapshot in the background. */
  offer(named: NamedDecider, streamId: Uuid, at: StreamState): void {
    const key = `${named.name} ${streamId}`;
    const other = this.#offered.get(key);
    if (named.snapshots === null || !at.exists || (other !== undefined && other.at.position >= at.position)) return;
    if (other === undefined && this.#offered.size >= mostWaiting) return;
    this.#offered.set(key, { named, form: named.snapshots, streamId, at });
    detached(() => this.worker.wake());
  }

  async #storeNext(): Promise<boolean> {
    for (const [key, offered] of this.#offered) {
      // If it cannot be stored, a later command offers the next one.
      this.#offered.delete(key);
      const record = recordOf(offered);
      // Hosts of another version store snapshots as well while a deployment lasts. Those that fell behind are of a version that has ended.
      await this.#storage.write(record, record.position - 2 * offered.form.every);
      return this.#offered.size > 0;
    }
    return false;
  }
}

function recordOf({ named, form, streamId, at }: OfferedSnapshot): SnapshotRecord {
  const record = {
    decider: named.name,
    streamId,
    version: form.version,
    position: at.position,
    eventId: at.eventId!,
    state: form.writeState(at.state as object),
  };
  return { ...record, checksum: checksumOf(record) };
}

function checksumOf({
  decider,
  streamId,
  version,
  position,
  eventId,
  state,
}: Omit<SnapshotRecord, 'checksum'>): string {
  // A state with personal values is encrypted after this, and decrypted before it is compared.
  const text = JSON.stringify([decider, streamId, version, position, eventId, withoutMarks(state)]);
  return createHash('sha256').update(text).digest('base64url');
}
