import { describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { ArchiveObstacle, StorageArchive } from '../capabilities/archive.js';
import type { StorageLeases } from '../capabilities/leases.js';
import type { StoredRecord } from '../event-record.js';
import type { LogPlace } from '../log-place.js';
import { archiveEvents, eventsPerFile } from './archive-events.js';
import { decodeArchive, encodeArchive, type ArchiveFile } from './archive-file.js';
import type { ArchiveStore } from './archive-store.js';

const at = 1_700_000_000_000;
const charactersPerFile = 8_000_000;
const before = new Date(at + 1);

function stored(sequence: number, fields: Partial<StoredRecord> = {}): StoredRecord {
  const id = newId();
  const message = {
    type: 'test.Happened',
    timestamp: at,
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
  };
  return { id, streamId: newId(), position: 0, sequence, ...message, body: '{}', ...fields };
}

const events = (count: number): StoredRecord[] => Array.from({ length: count }, (_, sequence) => stored(sequence));

class Files implements ArchiveStore {
  readonly where = '/archive';
  readonly contents = new Map<string, Uint8Array>();

  write(name: string, content: Uint8Array): Promise<void> {
    this.contents.set(name, content);
    return Promise.resolve();
  }

  read(name: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.contents.get(name) ?? null);
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.contents.keys()]);
  }
}

/** A log whose bodies can be archived, with everything that was asked of it in `calls`. */
class Log implements StorageArchive, StorageLeases {
  readonly calls: string[] = [];
  readonly files: ArchiveFile[] = [];
  readonly sequences: (readonly number[])[] = [];
  readonly places: LogPlace[] = [];
  /** The answers of `hold`; then it is always true. */
  held: boolean[] = [];
  obstacles: ArchiveObstacle[] = [];
  readonly #records: readonly StoredRecord[];

  constructor(records: readonly StoredRecord[]) {
    this.#records = records;
  }

  get archive(): this {
    return this;
  }

  get leases(): this {
    return this;
  }

  async *readAll(afterSequence?: number): AsyncIterable<StoredRecord> {
    this.calls.push(`read after ${afterSequence}`);
    for (const record of this.#records) if (record.sequence > afterSequence!) yield record;
  }

  hold(lane: string): Promise<boolean> {
    this.calls.push(`hold ${lane}`);
    return Promise.resolve(this.held.shift() ?? true);
  }

  release(lane: string): Promise<void> {
    this.calls.push(`release ${lane}`);
    return Promise.resolve();
  }

  readHeld(): Promise<[]> {
    return Promise.resolve([]);
  }

  onReleased(): void {}

  use(): void {}

  readFiles(): Promise<readonly ArchiveFile[]> {
    return Promise.resolve([...this.files]);
  }

  findObstacle(upTo: LogPlace): Promise<ArchiveObstacle | null> {
    this.places.push(upTo);
    return Promise.resolve(this.obstacles.shift() ?? null);
  }

  commitFile(file: ArchiveFile, sequences: readonly number[]): Promise<void> {
    this.calls.push(`commit ${file.number}`);
    this.files.push(file);
    this.sequences.push(sequences);
    return Promise.resolve();
  }
}

const sizes = (files: readonly ArchiveFile[]): number[] => files.map((file) => file.events);

describe('archiving', () => {
  it('moves the events before a time into a file, and records it with their sequence numbers', async () => {
    const records = events(3);
    const [log, store] = [new Log(records), new Files()];
    const [file, ...others] = await archiveEvents(log, store, { before });
    expect(others).toEqual([]);
    expect(file).toMatchObject({ number: 1, events: 3, firstSequence: 0, lastSequence: 2 });
    expect([log.files, log.sequences]).toEqual([[file], [[0, 1, 2]]]);
    expect(await decodeArchive(file!, store.contents.get(file!.name)!, store.where)).toEqual(records);
    expect(log.places, 'the place of the last event').toEqual([records[2]]);
  });

  it('ends at the first event that is not older, also if older ones follow it', async () => {
    const records = [stored(0, { timestamp: at - 1 }), stored(1, { timestamp: at }), stored(2, { timestamp: at - 1 })];
    const files = await archiveEvents(new Log(records), new Files(), { before: new Date(at) });
    expect(sizes(files)).toEqual([1]);
  });

  it('records nothing if no event is old enough', async () => {
    const [log, store] = [new Log(events(2)), new Files()];
    expect(await archiveEvents(log, store, { before: new Date(at) })).toEqual([]);
    expect([log.files, store.contents.size]).toEqual([[], 0]);
  });

  it('continues after the last file, with the next number', async () => {
    const records = events(4);
    const [log, store] = [new Log(records), new Files()];
    const earlier = await encodeArchive(7, records.slice(0, 3));
    await store.write(earlier.file.name, earlier.content);
    log.files.push(earlier.file);
    const files = await archiveEvents(log, store, { before });
    expect(files).toEqual([expect.objectContaining({ number: 8, events: 1, firstSequence: 3 })]);
    expect(log.calls).toContain('read after 2');
  });

  it('reports each file once it is recorded', async () => {
    const log = new Log(events(eventsPerFile + 1));
    const reported: [ArchiveFile, number][] = [];
    const onFile = (file: ArchiveFile): void => void reported.push([file, log.files.length]);
    const files = await archiveEvents(log, new Files(), { before, onFile });
    expect(reported).toEqual([
      [files[0], 1],
      [files[1], 2],
    ]);
    expect(files.map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe('a file', () => {
  it('ends with the event that reaches 10,000 events', async () => {
    expect(eventsPerFile).toBe(10_000);
    const log = new Log(events(2 * eventsPerFile + 1));
    expect(sizes(await archiveEvents(log, new Files(), { before }))).toEqual([eventsPerFile, eventsPerFile, 1]);
  });

  it('ends with the event that reaches 8,000,000 characters', async () => {
    const half = 'x'.repeat(charactersPerFile / 2);
    const bodies = [half, half, half, half.slice(1), 'x', '{}', '{}'];
    const log = new Log(bodies.map((body, sequence) => stored(sequence, { body })));
    expect(sizes(await archiveEvents(log, new Files(), { before }))).toEqual([2, 3, 2]);
  });
});

describe('the lease', () => {
  it('is held before the log is read and before each file, and released at the end', async () => {
    const log = new Log(events(eventsPerFile + 1));
    await archiveEvents(log, new Files(), { before });
    const [hold, release] = ['hold archiving', 'release archiving'];
    expect(log.calls).toEqual([hold, 'read after -1', hold, 'commit 1', hold, 'commit 2', release]);
  });

  it('of another process rejects the call, and is not released', async () => {
    const [log, store] = [new Log(events(2)), new Files()];
    log.held = [false];
    await expect(archiveEvents(log, store, { before })).rejects.toMatchObject({
      code: 'SVC_ARCHIVE_REFUSED',
      message: expect.stringContaining('another process archives events of this database') as string,
    });
    expect(log.calls).toEqual(['hold archiving']);
    expect(store.contents.size).toBe(0);
  });

  it('that is lost ends the call before the next file', async () => {
    const log = new Log(events(eventsPerFile + 1));
    log.held = [true, true, false];
    await expect(archiveEvents(log, new Files(), { before })).rejects.toMatchObject({ code: 'SVC_ARCHIVE_REFUSED' });
    expect(sizes(log.files), 'the first file stays recorded').toEqual([eventsPerFile]);
    expect(log.calls.at(-1)).toBe('release archiving');
  });

  it('is released after a failure', async () => {
    const log = new Log(events(1));
    const store = Object.assign(new Files(), { write: () => Promise.reject(new Error('no space')) });
    await expect(archiveEvents(log, store, { before })).rejects.toThrow('no space');
    expect(log.calls.at(-1)).toBe('release archiving');
    expect(log.files).toEqual([]);
  });

  it('is not needed for a storage that no other process can use', async () => {
    const log = new Log(events(1));
    const own = { archive: log, readAll: (after?: number) => log.readAll(after) };
    expect(sizes(await archiveEvents(own, new Files(), { before }))).toEqual([1]);
    expect(log.calls).toEqual(['read after -1', 'commit 1']);
  });
});

describe('events are not archived', () => {
  const refusal = async (log: Log, store: ArchiveStore = new Files()): Promise<unknown> =>
    await archiveEvents(log, store, { before }).catch((error: unknown) => error);

  it('by a storage without the capability', async () => {
    const log = new Log([]);
    const without = { readAll: (after?: number) => log.readAll(after) };
    await expect(archiveEvents(without, new Files(), { before })).rejects.toMatchObject({
      code: 'SVC_ARCHIVE_REFUSED',
      message: expect.stringContaining('this storage cannot archive events.') as string,
    });
  });

  it.each<[string, ArchiveObstacle, string]>([
    [
      'a perspective has not processed',
      { kind: 'perspective', perspective: 'orders' },
      'the perspective orders has not processed them',
    ],
    ['the outbox needs', { kind: 'outbox', messages: 12 }, '12 messages about them wait in the outbox'],
  ])('that %s', async (_name, obstacle, text) => {
    const [log, store] = [new Log(events(1)), new Files()];
    log.obstacles = [obstacle];
    expect(await refusal(log, store)).toMatchObject({
      code: 'SVC_ARCHIVE_REFUSED',
      message: expect.stringContaining(text) as string,
    });
    expect([log.files, store.contents.size]).toEqual([[], 0]);
  });

  it('to a place without an earlier file', async () => {
    const [log, store] = [new Log(events(2)), new Files()];
    const present = await encodeArchive(1, [stored(-2)]);
    const missing = await encodeArchive(2, [stored(-1)]);
    await store.write(present.file.name, present.content);
    log.files.push(present.file, missing.file);
    expect(await refusal(log, store)).toMatchObject({
      code: 'SVC_ARCHIVE_REFUSED',
      message: expect.stringContaining(
        `the file "${missing.file.name}" of an earlier run is not in /archive.`,
      ) as string,
    });
    expect(log.files).toHaveLength(2);
  });

  it('into a file that cannot be read back', async () => {
    const log = new Log(events(1));
    const store = Object.assign(new Files(), { read: () => Promise.resolve(null) });
    expect(await refusal(log, store)).toMatchObject({ code: 'SVC_ARCHIVE_DAMAGED' });
    expect(log.files).toEqual([]);
  });

  it('into a file in which one of them differs from the event in the database', async () => {
    let reads = 0;
    const changing = Object.defineProperty(stored(1), 'body', { get: () => `"${reads++}"`, enumerable: true });
    const log = new Log([stored(0), changing, stored(2)]);
    expect(await refusal(log)).toMatchObject({
      code: 'SVC_ARCHIVE_DAMAGED',
      message: expect.stringContaining('in /archive: it differs from the events in the database.') as string,
    });
    expect(log.files).toEqual([]);
  });
});
