import { createHash } from 'node:crypto';
import { gunzip, gzip, type ZlibOptions } from 'node:zlib';
import { scopeOfText, scopeText, type EnvelopeScope } from '../../messages/index.js';
import type { StoredRecord } from '../event-record.js';
import { ArchiveDamagedError } from './archive-error.js';

/** An archive file, as the database records it. */
export interface ArchiveFile {
  /** Counts from 1, in the order of the log. */
  readonly number: number;
  readonly name: string;
  /** The SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /** How many events it has. */
  readonly events: number;
  /** The size of the file. */
  readonly bytes: number;
  /** The sequence numbers of its first and its last event. */
  readonly firstSequence: number;
  readonly lastSequence: number;
}

const format = 'svc-events/1';

/** Writes events, in the order of the log, as a file: JSON Lines in gzip. The first line is the header. */
export async function encodeArchive(
  number: number,
  records: readonly StoredRecord[],
): Promise<{ readonly file: ArchiveFile; readonly content: Uint8Array }> {
  const [first, last] = [records[0]!.sequence, records.at(-1)!.sequence];
  const header = JSON.stringify({ format, events: records.length, firstSequence: first, lastSequence: last });
  const content = await compressed([header, ...records.map(lineOfRecord)]);
  const sha256 = sha256Of(content);
  const name = `events-${String(first).padStart(12, '0')}-${sha256.slice(0, 16)}.jsonl.gz`;
  const file = { number, name, sha256, events: records.length, bytes: content.length };
  return { file: { ...file, firstSequence: first, lastSequence: last }, content };
}

/** Reads the events of a file. Throws an `ArchiveDamagedError` if it does not have the content that was written. */
export async function decodeArchive(
  file: ArchiveFile,
  content: Uint8Array | null,
  where: string,
): Promise<readonly StoredRecord[]> {
  if (content === null) throw new ArchiveDamagedError(file, where, 'it does not exist');
  const found = sha256Of(content);
  if (found !== file.sha256) {
    throw new ArchiveDamagedError(file, where, `its SHA-256 is ${found} instead of ${file.sha256}`);
  }
  try {
    const [header, ...lines] = await decompressed(content);
    const { format: written } = JSON.parse(header!) as { format?: string };
    if (written !== format) throw new TypeError(`Its format is ${written} instead of ${format}.`);
    return lines.map(recordOfLine);
  } catch (error) {
    throw new ArchiveDamagedError(file, where, 'its content is not an archive of events', error);
  }
}

/** Whether two records are the same event, to the letter. */
export function isSameRecord(a: StoredRecord, b: StoredRecord): boolean {
  return lineOfRecord(a) === lineOfRecord(b);
}

/** An event as a line of a file. The body and the scope are texts, so that they are read exactly as they were stored. */
export function lineOfRecord(record: StoredRecord): string {
  const { sequence, transaction, id, streamId, position, type, timestamp, correlationId, causationId } = record;
  const place = { sequence, ...(transaction !== undefined && { transaction }) };
  const scope = record.scope && scopeText(record.scope);
  const message = { id, streamId, position, type, timestamp, correlationId, causationId, scope };
  return JSON.stringify({ ...place, ...message, metadata: record.metadata, body: record.body });
}

type Line = Omit<StoredRecord, 'scope'> & { scope: string | EnvelopeScope | null };

/** Reads what `lineOfRecord` returns. Throws if it is not JSON. */
export function recordOfLine(text: string): StoredRecord {
  const line = JSON.parse(text) as Line;
  line.scope = line.scope === null ? null : scopeOfText(line.scope as string);
  return line as StoredRecord;
}

/** In hexadecimal digits. */
export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Lines as the content of a file. */
export async function compressed(lines: readonly string[]): Promise<Buffer> {
  return await transformed(gzip, `${lines.join('\n')}\n`);
}

/** The lines of a file. */
export async function decompressed(content: Uint8Array): Promise<string[]> {
  return (await transformed(gunzip, content)).toString('utf8').trimEnd().split('\n');
}

type Transform = (
  content: string | Uint8Array,
  options: ZlibOptions,
  done: (error: Error | null, result: Buffer) => void,
) => void;

/** How much of a result is computed before this thread is asked for more memory. A thread that is busy would delay the rest of a larger result. */
const chunkSize = 4 * 1024 * 1024;

/** Compresses or decompresses outside of this thread. */
function transformed(transform: Transform, content: string | Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    transform(content, { chunkSize }, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}
