import { ServiceError } from '../errors/index.js';
import { comparePlaces, type ArchiveStore, type LogPage, type Storage, type StoredRecord } from '../storage/index.js';
import { readCheckpoint } from './checkpoint.js';
import {
  decodeExport,
  encodeExport,
  hasItsDigest,
  linesOfExport,
  readExportName,
  type ExportName,
  type SealedEvents,
} from './export-file.js';
import { findingOf, TamperKind } from './finding.js';
import { readSeals } from './sealed-log.js';
import type { SealedLog, Verification, VerifyOptions } from './verification.js';
import { verifySeals } from './verify-seals.js';

/** A file ends with the seal that reaches one of these. */
const eventsPerFile = 20_000;
const charactersPerFile = 16_000_000;

/** A file that was written. */
export interface ExportedFile {
  readonly name: string;
  readonly checkpoints: number;
  readonly events: number;
  readonly bytes: number;
}

/**
 * Writes the sealed events of a log into files, with their seals. Continues after the files that the store has, so an interrupted export is resumed, and
 * a complete one gets what was sealed since. Returns the files that were written.
 */
export async function exportLog(
  storage: Storage,
  store: ArchiveStore,
  onFile: (file: ExportedFile) => void = () => {},
): Promise<readonly ExportedFile[]> {
  const last = (await filesIn(store)).at(-1)?.last ?? 0;
  const written: ExportedFile[] = [];
  for await (const parts of filesOf(sealedEvents(storage, last))) {
    const { name, content } = await encodeExport(parts);
    await store.write(name, content);
    const events = parts.reduce((sum, { records }) => sum + records.length, 0);
    const file = { name, checkpoints: parts.length, events, bytes: content.length };
    written.push(file);
    onFile(file);
  }
  return written;
}

/** Verifies an export as `verifySeals` does, and that none of its files was changed. */
export async function verifyExport(store: ArchiveStore, options: VerifyOptions = {}): Promise<Verification> {
  const files = await filesIn(store);
  if (files.length === 0) {
    throw new ServiceError('SVC_EXPORT_INVALID', `${store.where} has no files of an export. Run svc audit export.`);
  }
  const log = new ExportedLog(store, files);
  const nothing = { checkpoints: 0, events: 0, unsealed: null, last: null, isPinned: false, anchored: null };
  let result: Verification;
  try {
    result = await verifySeals(log, options);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'SVC_EXPORT_INVALID')) throw error;
    const at = { eventId: null, index: null, checkpoint: null };
    return { ...nothing, finding: findingOf(TamperKind.ChangedFile, at, error.message) };
  }
  if (result.finding !== null || log.changed === null) return result;
  const { name, first } = log.changed;
  const at = { eventId: null, index: null, checkpoint: first };
  const text = `the file ${name} was changed; the events in it are as they were sealed`;
  return { ...result, finding: findingOf(TamperKind.ChangedFile, at, text) };
}

/** A file that was read and decompressed. */
interface LoadedFile {
  readonly lines: readonly string[];
  /** Whether its content has the digest in its name. */
  readonly hasItsDigest: boolean;
}

/** The log in an export. */
class ExportedLog implements SealedLog {
  readonly #store: ArchiveStore;
  readonly #files: readonly ExportName[];
  /** The file that was decoded last: seals and events are read at about the same place. */
  #decoded: { readonly name: string; readonly parts: Promise<readonly SealedEvents[]> } | null = null;
  /** The next file, which is decompressed outside of this thread while the events of the current one are compared. */
  #loading: { readonly name: string; readonly file: Promise<LoadedFile> } | null = null;
  /** The first file whose content does not have the digest in its name. */
  changed: ExportName | null = null;

  constructor(store: ArchiveStore, files: readonly ExportName[]) {
    this.#store = store;
    this.#files = files;
  }

  async *readSeals(after: number): AsyncIterable<SealedEvents['seal']> {
    for await (const { seal } of this.#parts((file) => file.last > after)) if (seal.number > after) yield seal;
  }

  lastSeal(): Promise<number> {
    return Promise.resolve(this.#files.at(-1)?.last ?? 0);
  }

  async *readPages(afterSequence: number): AsyncIterable<LogPage> {
    let isAfter = afterSequence < 0;
    for await (const { seal, records } of this.#parts(() => true)) {
      if (isAfter) yield { records };
      isAfter ||= seal.lastSequence === afterSequence;
    }
  }

  async hasEvent(id: string): Promise<boolean> {
    for await (const { records } of this.#parts(() => true)) if (records.some((one) => one.id === id)) return true;
    return false;
  }

  isReadable(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async *#parts(isWanted: (file: ExportName) => boolean): AsyncIterable<SealedEvents> {
    const files = this.#files.filter(isWanted);
    for (const [i, file] of files.entries()) {
      if (this.#decoded?.name !== file.name) this.#decoded = { name: file.name, parts: this.#decode(file) };
      const parts = await this.#decoded.parts;
      const next = files[i + 1];
      // Its error is that of the one who needs it.
      if (next !== undefined) this.#load(next).catch(() => {});
      yield* parts;
    }
  }

  async #decode(file: ExportName): Promise<readonly SealedEvents[]> {
    const { lines, hasItsDigest: isAsWritten } = await this.#load(file);
    if (!isAsWritten) this.changed ??= file;
    return decodeExport(file, lines);
  }

  #load(file: ExportName): Promise<LoadedFile> {
    if (this.#loading?.name !== file.name) this.#loading = { name: file.name, file: this.#read(file) };
    return this.#loading.file;
  }

  async #read(file: ExportName): Promise<LoadedFile> {
    const content = await this.#store.read(file.name);
    if (content === null) throw new ServiceError('SVC_EXPORT_INVALID', `The file ${file.name} does not exist.`);
    return { hasItsDigest: hasItsDigest(file, content), lines: await linesOfExport(file, content) };
  }
}

/** The files of an export in the order of the log. Throws if two of them have the same seals: the events of two logs. */
async function filesIn(store: ArchiveStore): Promise<readonly ExportName[]> {
  const files = (await store.list()).map(readExportName).filter((file) => file !== null);
  files.sort((a, b) => a.first - b.first);
  const twice = files.find((file, index) => index > 0 && file.first <= files[index - 1]!.last);
  if (twice === undefined) return files;
  throw new ServiceError(
    'SVC_EXPORT_INVALID',
    `Two files in ${store.where} have checkpoint ${twice.first}: ${twice.name} is one of them. Export each log to its own folder.`,
  );
}

/** The seals after one with a number, each with its events. */
async function* sealedEvents(storage: Storage, after: number): AsyncIterable<SealedEvents> {
  const [before] = after === 0 ? [] : await storage.seals!.read(after - 1, 1);
  const records = storage.readAll(before?.lastSequence ?? -1)[Symbol.asyncIterator]();
  try {
    let next = await records.next();
    for await (const seal of readSeals(storage, after)) {
      const end = readCheckpoint(seal.checkpoint)?.end ?? { sequence: seal.lastSequence };
      const covered: StoredRecord[] = [];
      while (next.done !== true && comparePlaces(next.value, end) <= 0) {
        covered.push(next.value);
        next = await records.next();
      }
      yield { seal, records: covered };
    }
  } finally {
    await records.return?.();
  }
}

/** What each file has. */
async function* filesOf(parts: AsyncIterable<SealedEvents>): AsyncIterable<readonly SealedEvents[]> {
  let file: SealedEvents[] = [];
  let [events, characters] = [0, 0];
  for await (const part of parts) {
    file.push(part);
    events += part.records.length;
    for (const { body } of part.records) characters += body.length;
    if (events < eventsPerFile && characters < charactersPerFile) continue;
    yield file;
    file = [];
    [events, characters] = [0, 0];
  }
  if (file.length > 0) yield file;
}
