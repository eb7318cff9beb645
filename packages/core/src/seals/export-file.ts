/** A file of an export: seals, each followed by its events, as JSON Lines in gzip. Its name has the numbers of its seals and its digest. */
import { ServiceError } from '../errors/index.js';
import {
  compressed,
  decompressed,
  lineOfRecord,
  recordOfLine,
  sha256Of,
  type SealRecord,
  type StoredRecord,
} from '../storage/index.js';
import { readCheckpoint } from './checkpoint.js';

const header = '{"format":"svc-export/1"}';

/** How many digits of its SHA-256 the name of a file has. */
const digestDigits = 32;

/** A seal and the events that it covers. */
export interface SealedEvents {
  readonly seal: SealRecord;
  readonly records: readonly StoredRecord[];
}

/** What the name of a file says. */
export interface ExportName {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly digest: string;
}

interface SealLine {
  readonly seal: { readonly checkpoint: string; readonly frontier: string; readonly entries: string };
}

export async function encodeExport(
  parts: readonly SealedEvents[],
): Promise<{ readonly name: string; readonly content: Uint8Array }> {
  const lines = parts.flatMap(({ seal, records }) => [lineOfSeal(seal), ...records.map(lineOfRecord)]);
  const content = await compressed([header, ...lines]);
  const [first, last] = [parts[0]!, parts.at(-1)!].map(({ seal }) => String(seal.number).padStart(12, '0'));
  return { name: `seals-${first}-${last}-${sha256Of(content).slice(0, digestDigits)}.jsonl.gz`, content };
}

/** Null: it is not the name of a file of an export. */
export function readExportName(name: string): ExportName | null {
  const suffix = '.jsonl.gz';
  const [prefix, first, last, digest, ...more] = name.slice(0, -suffix.length).split('-');
  if (prefix !== 'seals' || digest?.length !== digestDigits || more.length > 0 || !name.endsWith(suffix)) return null;
  return { name, first: Number(first), last: Number(last), digest };
}

export function hasItsDigest({ digest }: ExportName, content: Uint8Array): boolean {
  return sha256Of(content).slice(0, digestDigits) === digest;
}

/** Reads the lines of a file. Throws `SVC_EXPORT_INVALID` if it is not such a file. */
export function decodeExport({ name }: ExportName, [first, ...lines]: readonly string[]): readonly SealedEvents[] {
  try {
    if (first !== header) throw new TypeError(`It begins with ${first?.slice(0, 100)}.`);
    const parts: { readonly seal: SealRecord; readonly records: StoredRecord[] }[] = [];
    for (const line of lines) {
      if (line.startsWith('{"seal":')) parts.push({ seal: sealOfLine(line), records: [] });
      else parts.at(-1)!.records.push(recordOfLine(line));
    }
    return parts;
  } catch (cause) {
    throw invalidFile(name, cause);
  }
}

/** The lines of a file. Throws `SVC_EXPORT_INVALID` if it is not compressed. */
export async function linesOfExport({ name }: ExportName, content: Uint8Array): Promise<readonly string[]> {
  try {
    return await decompressed(content);
  } catch (cause) {
    throw invalidFile(name, cause);
  }
}

function invalidFile(name: string, cause: unknown): ServiceError {
  return new ServiceError('SVC_EXPORT_INVALID', `The file ${name} is not a file of an export, or was changed.`, {
    cause,
  });
}

function lineOfSeal({ checkpoint, frontier, entries }: SealRecord): string {
  const seal = { checkpoint, frontier: base64(frontier), entries: base64(entries) };
  return JSON.stringify({ seal } satisfies SealLine);
}

function sealOfLine(line: string): SealRecord {
  const { checkpoint, frontier, entries } = (JSON.parse(line) as SealLine).seal;
  const read = readCheckpoint(checkpoint);
  if (read === null) throw new TypeError('A checkpoint cannot be read.');
  const { number, size, end } = read;
  return {
    number,
    size,
    lastSequence: end.sequence,
    checkpoint,
    frontier: Buffer.from(frontier, 'base64'),
    entries: Buffer.from(entries, 'base64'),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
