import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import type { StoredRecord } from '../event-record.js';
import { ArchiveDamagedError } from './archive-error.js';
import {
  compressed,
  decodeArchive,
  decompressed,
  encodeArchive,
  isSameRecord,
  lineOfRecord,
  recordOfLine,
  sha256Of,
  type ArchiveFile,
} from './archive-file.js';

const record: StoredRecord = {
  sequence: 17,
  transaction: 801,
  id: newId(),
  streamId: newId(),
  position: 3,
  type: 'test.Happened',
  timestamp: 1_700_000_000_123,
  correlationId: newId(),
  causationId: newId(),
  scope: { tenantId: 'a', userId: null },
  metadata: { note: [1, { deep: true }] },
  body: '{"odd":"\\u0000 \\ud800 😀 \u2028"}',
};
const { transaction: _, ...unordered } = record;
const plain: StoredRecord = { ...unordered, sequence: 21, causationId: null, scope: null, metadata: {}, body: '' };

describe('the line of an event', () => {
  it('has all of its fields under their stored names, and its scope and body as texts', () => {
    const { id, streamId, correlationId, causationId, metadata, body } = record;
    const place = { sequence: 17, transaction: 801 };
    const message = {
      id,
      streamId,
      position: 3,
      type: record.type,
      timestamp: record.timestamp,
      correlationId,
      causationId,
    };
    const scope = '{"tenantId":"a","userId":null}';
    expect(lineOfRecord(record)).toBe(JSON.stringify({ ...place, ...message, scope, metadata, body }));
  });

  it('has no transaction if the event has none, and null for an absent cause or scope', () => {
    const line = JSON.parse(lineOfRecord(plain)) as object;
    expect(line).not.toHaveProperty('transaction');
    expect(line).toMatchObject({ sequence: 21, causationId: null, scope: null, metadata: {}, body: '' });
  });

  it.each([
    ['with every field', record],
    ['without optional fields', plain],
  ])('is read as the same event: %s', (_name, one) => {
    expect(recordOfLine(lineOfRecord(one))).toEqual(one);
    expect(Object.hasOwn(recordOfLine(lineOfRecord(one)), 'transaction')).toBe('transaction' in one);
  });

  it('is the same for two records only if every field is', () => {
    expect(isSameRecord(record, { ...record, scope: { tenantId: 'a', userId: null } })).toBe(true);
    const changes: Partial<StoredRecord>[] = [
      { body: `${record.body} ` },
      { scope: null },
      { scope: { userId: null, tenantId: 'a' } },
      { metadata: {} },
      { sequence: 18 },
      { transaction: 802 },
      { timestamp: 0 },
      { position: 4 },
      { causationId: null },
    ];
    for (const change of changes) expect(isSameRecord(record, { ...record, ...change })).toBe(false);
  });
});

describe('an archive file', () => {
  it('is described by its name, its hash, its size and its first and last events', async () => {
    const { file, content } = await encodeArchive(5, [record, plain]);
    const sha256 = sha256Of(content);
    expect(file).toEqual({
      number: 5,
      name: `events-000000000017-${sha256.slice(0, 16)}.jsonl.gz`,
      sha256,
      events: 2,
      bytes: content.length,
      firstSequence: 17,
      lastSequence: 21,
    });
  });

  it('is JSON Lines in gzip, and its first line is the header', async () => {
    const { content } = await encodeArchive(5, [record, plain]);
    const [header, ...lines] = await decompressed(content);
    const head = { format: 'svc-events/1', events: 2, firstSequence: 17, lastSequence: 21 };
    expect(JSON.parse(header!)).toEqual(head);
    expect(lines).toEqual([lineOfRecord(record), lineOfRecord(plain)]);
  });

  it('has the same content and name for the same events', async () => {
    const [first, second] = [await encodeArchive(1, [record]), await encodeArchive(2, [record])];
    expect(second.file).toEqual({ ...first.file, number: 2 });
    expect(second.content).toEqual(first.content);
  });

  it('is read as the events that were written', async () => {
    const { file, content } = await encodeArchive(5, [record, plain]);
    expect(await decodeArchive(file, content, 'memory')).toEqual([record, plain]);
  });
});

describe('a damaged file', () => {
  const decoding = (file: ArchiveFile, content: Uint8Array | null): Promise<unknown> =>
    decodeArchive(file, content, '/archive').then(
      () => null,
      (error: unknown) => error,
    );

  /** A file with some content, as if it had been archived like that. */
  function fileOf(content: Uint8Array): ArchiveFile {
    const place = { firstSequence: 0, lastSequence: 0 };
    return { number: 1, name: 'f', sha256: sha256Of(content), events: 1, bytes: content.length, ...place };
  }

  it('does not exist', async () => {
    const { file } = await encodeArchive(5, [record]);
    const error = await decoding(file, null);
    expect(error).toBeInstanceOf(ArchiveDamagedError);
    expect(error).toMatchObject({ code: 'SVC_ARCHIVE_DAMAGED', file: file.name });
    const text = `Cannot read events of the archive file "${file.name}" in /archive: it does not exist.`;
    expect((error as Error).message).toBe(`${text} Restore the file from a backup.`);
  });

  it('has another hash', async () => {
    const { file, content } = await encodeArchive(5, [record]);
    const other = content.slice(1);
    const error = await decoding(file, other);
    expect(error).toMatchObject({ code: 'SVC_ARCHIVE_DAMAGED', file: file.name });
    expect((error as Error).message).toContain(`its SHA-256 is ${sha256Of(other)} instead of ${file.sha256}`);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['is not compressed', Buffer.from('text'), /header/],
    ['has a header that is not JSON', gzipSync('text\n'), /JSON/],
    [
      'has another format',
      gzipSync('{"format":"svc-events/2"}\n'),
      /^Its format is svc-events\/2 instead of svc-events\/1\.$/,
    ],
    ['has an event that is not JSON', gzipSync('{"format":"svc-events/1"}\n{"id":\n'), /JSON/],
  ])('%s', async (_name, content, cause) => {
    const error = (await decoding(fileOf(content), content)) as Error;
    expect(error).toMatchObject({ code: 'SVC_ARCHIVE_DAMAGED', file: 'f' });
    expect(error.message).toContain('its content is not an archive of events');
    expect((error.cause as Error).message).toMatch(cause);
  });
});

it('compresses lines so that they are read again, each of them whole', async () => {
  const lines = ['first', '', 'third \u2028 line', '😀'];
  const content = await compressed(lines);
  expect(await decompressed(content)).toEqual(lines);
});

it('compresses and decompresses more than one chunk of memory', async () => {
  const lines = ['x'.repeat(9_000_000), 'y'];
  expect(await decompressed(await compressed(lines))).toEqual(lines);
});
