import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { StoredRecord } from '../event-record.js';
import { encodeArchive, type ArchiveFile } from './archive-file.js';
import type { ArchiveStore } from './archive-store.js';
import { ArchivedBodies } from './archived-bodies.js';

function stored(sequence: number): StoredRecord {
  const id = newId();
  const message = {
    type: 'test.Happened',
    timestamp: 0,
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
  };
  return { id, streamId: newId(), position: 0, sequence, ...message, body: `"${sequence}"` };
}

/** An archive whose file n has the events with the sequence numbers 10 n and 10 n + 1. */
class Archive implements ArchiveStore {
  readonly where = 'memory';
  readonly files = new Map<number, ArchiveFile>();
  readonly contents = new Map<string, Uint8Array>();
  /** The numbers of the files that were read, in order. */
  readonly reads: number[] = [];

  async addFiles(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      const { file, content } = await encodeArchive(number, [stored(10 * number), stored(10 * number + 1)]);
      this.files.set(number, file);
      this.contents.set(file.name, content);
    }
  }

  readonly find = (number: number): Promise<ArchiveFile> => Promise.resolve(this.files.get(number)!);

  write(): never {
    throw new Error('Readers write nothing.');
  }

  async read(name: string): Promise<Uint8Array | null> {
    this.reads.push([...this.files.values()].find((file) => file.name === name)!.number);
    return this.contents.get(name) ?? null;
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.contents.keys()]);
  }
}

let archive: Archive;
let bodies: ArchivedBodies;
beforeEach(async () => {
  archive = new Archive();
  await archive.addFiles([1, 2, 3, 4, 5, 6]);
  bodies = new ArchivedBodies(archive, archive.find);
});

describe('the bodies of a file', () => {
  it('are read by sequence number, and then returned without waiting', async () => {
    expect(await bodies.read(1, 10)).toBe('"10"');
    expect(bodies.read(1, 11)).toBe('"11"');
    expect(bodies.read(1, 10)).toBe('"10"');
    expect(archive.reads).toEqual([1]);
  });

  it('are read once for all readers that need them at the same time', async () => {
    const places = [
      [1, 10],
      [1, 11],
      [2, 20],
      [1, 10],
    ] as const;
    const reading = places.map(async ([file, sequence]) => await bodies.read(file, sequence));
    expect(await Promise.all(reading)).toEqual(['"10"', '"11"', '"20"', '"10"']);
    expect(archive.reads).toEqual([1, 2]);
  });

  it('are held for the four files that were read last', async () => {
    for (const number of [1, 2, 3, 4]) await bodies.read(number, 10 * number);
    for (const number of [1, 2, 3, 4]) expect(bodies.read(number, 10 * number)).toBe(`"${10 * number}"`);
    await bodies.read(5, 50);
    for (const number of [2, 3, 4, 5]) expect(bodies.read(number, 10 * number)).toBe(`"${10 * number}"`);
    expect(await bodies.read(1, 10), 'the oldest one is read again').toBe('"10"');
    expect(archive.reads).toEqual([1, 2, 3, 4, 5, 1]);
    for (const number of [3, 4, 5, 1]) expect(bodies.read(number, 10 * number)).toBe(`"${10 * number}"`);
    expect(bodies.read(2, 20)).toBeInstanceOf(Promise);
  });

  it('are read again after a failure', async () => {
    const { name } = archive.files.get(1)!;
    const content = archive.contents.get(name)!;
    archive.contents.delete(name);
    await expect(bodies.read(1, 10)).rejects.toMatchObject({ code: 'SVC_ARCHIVE_DAMAGED', file: name });
    archive.contents.set(name, content);
    expect(await bodies.read(1, 10)).toBe('"10"');
    expect(archive.reads).toEqual([1, 1]);
  });

  it('are read from the last store that the storage was given', async () => {
    await bodies.read(1, 10);
    const other = new Archive();
    await other.addFiles([1]);
    archive.files.set(1, other.files.get(1)!);
    bodies.use(other);
    expect(await bodies.read(1, 10)).toBe('"10"');
    expect(other.reads).toEqual([1]);
  });
});

describe('an event that cannot be read', () => {
  it('is in a file that the database cannot find', async () => {
    const lost = new ArchivedBodies(archive, () => Promise.reject(new Error('away')));
    await expect(lost.read(1, 10)).rejects.toThrow('away');
  });

  it('is in a file, and the storage has no archive', async () => {
    const without = new ArchivedBodies(null, archive.find);
    await expect(without.read(1, 10)).rejects.toMatchObject({
      code: 'SVC_ARCHIVE_MISSING',
      file: archive.files.get(1)!.name,
    });
    without.use(archive);
    expect(await without.read(1, 10)).toBe('"10"');
  });

  it('is not in the file in which it should be', async () => {
    const error = {
      code: 'SVC_ARCHIVE_DAMAGED',
      message:
        'The archive file with number 1 in svc_archives has no event with sequence 12. Restore the database and the archive from one backup.',
    };
    await expect(bodies.read(1, 12)).rejects.toMatchObject(error);
    expect(() => bodies.read(1, 12), 'the file is held').toThrow(expect.objectContaining(error));
  });
});
