import type { Uuid } from '../json/index.js';
import type { SealRecord } from '../storage/index.js';
import { AnchoredCheckpoints } from './anchors.js';
import { digestOfCheckpoint, readCheckpoint, signatureFault, type Checkpoint } from './checkpoint.js';
import { DigestCursor, type DigestRange } from './digest-cursor.js';
import { findingOf, TamperKind, type Finding } from './finding.js';
import { locate } from './locate.js';
import { reportOf } from './log-sealed.js';
import { hashBytes } from './hashing/hash-batch.js';
import { Frontier } from './merkle-tree.js';
import { digestOfEntries, countEntries, idOfEntry, idsOfEntries, SealEntries } from './seal-entries.js';
import type { PublicSealKey } from './seal-keys.js';
import type { SealedLog, Verification, VerifyOptions } from './verification.js';

/** Compares a log with its seals, up to the first difference. */
export async function verifySeals(log: SealedLog, options: VerifyOptions = {}): Promise<Verification> {
  return await new Verifier(log, options).run();
}

const mostRecent = 1_000;

class Verifier {
  readonly #log: SealedLog;
  readonly #options: VerifyOptions;
  #anchored: AnchoredCheckpoints;
  readonly #trusted = new Map<string, PublicSealKey>();
  #isPinned = false;
  #frontier = new Frontier();
  #previous: { readonly text: string; readonly checkpoint: Checkpoint } | null = null;
  #last: Checkpoint | null = null;
  #checkpoints = 0;
  #events = 0;
  #digests: DigestCursor | null = null;
  readonly #known = {
    isStored: (id: Uuid): Promise<boolean> => this.#log.hasEvent(id),
    isSealed: (id: Uuid): Promise<boolean> => this.#isSealed(id),
  };
  /** The last checkpoints by number, which events report soon after. */
  readonly #recent = new Map<number, string>();

  constructor(log: SealedLog, options: VerifyOptions) {
    this.#log = log;
    this.#options = options;
    this.#anchored = new AnchoredCheckpoints(options.anchored ?? [], null);
  }

  async run(): Promise<Verification> {
    const { from, to } = this.#options;
    // Reading the log ends with the events that are stored when it begins: a seal that is stored later may have others.
    const lastSeal = await this.#log.lastSeal();
    for await (const seal of this.#log.readSeals(0)) {
      if (seal.number > lastSeal) break;
      const checkpoint = readCheckpoint(seal.checkpoint);
      const isBefore = from !== undefined && checkpoint !== null && new Date(checkpoint.time) < from;
      if (to !== undefined && checkpoint !== null && new Date(checkpoint.time) > to) {
        return this.#result(null, null);
      }
      const finding = this.#sealFault(seal, checkpoint) ?? (isBefore ? this.#skip(seal, checkpoint) : null);
      if (finding !== null) return this.#result(finding, null);
      if (!isBefore) {
        const bad = await this.#batchFault(seal, checkpoint!);
        if (bad !== null) return this.#result(bad, null);
        this.#checkpoints++;
        this.#last = checkpoint;
        this.#options.onProgress?.(this.#events, this.#checkpoints);
      }
      this.#previous = { text: seal.checkpoint, checkpoint: checkpoint! };
      this.#recent.set(seal.number, seal.checkpoint);
      this.#recent.delete(seal.number - mostRecent);
    }
    return await this.#atEnd();
  }

  /** What is wrong with a seal itself. */
  #sealFault(seal: SealRecord, checkpoint: Checkpoint | null): Finding | null {
    const before = this.#previous?.checkpoint ?? null;
    const { number } = seal;
    const first = countEntries(seal.entries) > 0 ? idOfEntry(seal.entries, 0) : null;
    const at = { eventId: first, index: before?.size ?? 0, checkpoint: number };
    const expected = (before?.number ?? 0) + 1;
    if (number !== expected) {
      return findingOf(TamperKind.RemovedSeal, { eventId: null, index: before?.size ?? 0, checkpoint: expected });
    }
    if (checkpoint === null) return findingOf(TamperKind.ChangedSeal, at, 'its checkpoint cannot be read');
    if (before === null) this.#trustFirst(checkpoint);
    if (this.#anchored.contradicts(number, seal.checkpoint) || this.#anchored.areOfOtherLogs) {
      return this.#rewritten(seal, at);
    }
    const fault = signatureFault(checkpoint, this.#trusted);
    if (fault === 'unknown-key') {
      return findingOf(
        TamperKind.UnknownKey,
        at,
        `checkpoint ${number} is signed by the key ${checkpoint.key}, which is not trusted`,
      );
    }
    if (fault !== null)
      return findingOf(TamperKind.ChangedSeal, at, `the signature of checkpoint ${number} is not valid`);
    if (!this.#isSuccessor(seal, checkpoint)) {
      return findingOf(TamperKind.ChangedSeal, at, `checkpoint ${number} does not continue the previous one`);
    }
    for (const key of checkpoint.keys) this.#trusted.set(key.id, key);
    return null;
  }

  #isSuccessor({ number, size, lastSequence }: SealRecord, checkpoint: Checkpoint): boolean {
    const before = this.#previous;
    return (
      checkpoint.number === number &&
      checkpoint.size === size &&
      checkpoint.end.sequence === lastSequence &&
      checkpoint.predecessor === (before === null ? null : digestOfCheckpoint(before.text)) &&
      size > (before?.checkpoint.size ?? 0) &&
      (before === null || checkpoint.log === before.checkpoint.log)
    );
  }

  /** Trusts what was given, or else the keys of the first checkpoint. */
  #trustFirst(checkpoint: Checkpoint): void {
    const { anchored = [], keys = [] } = this.#options;
    this.#anchored = new AnchoredCheckpoints(anchored, checkpoint.log);
    const given = [...keys, ...this.#anchored.keys];
    this.#isPinned = given.length > 0;
    for (const key of this.#isPinned ? given : checkpoint.keys) this.#trusted.set(key.id, key);
  }

  /** The entries of the anchor name the event. Without them, it is one of those that the checkpoint covers. */
  #rewritten({ entries }: SealRecord, at: Pick<Finding, 'eventId' | 'index' | 'checkpoint'>): Finding {
    const anchor = this.#anchored.entriesOf(at.checkpoint!);
    if (anchor === null) {
      const text = `the log was rewritten and sealed again: an anchor has another checkpoint ${at.checkpoint}, so this event or one of those that the checkpoint covers differs`;
      return findingOf(TamperKind.RewrittenHistory, at, text);
    }
    const shared = Math.min(entries.length, anchor.entries.length);
    let same = 0;
    while (same < shared && entries[same] === anchor.entries[same]) same++;
    const index = Math.floor(same / (entries.length / countEntries(entries)));
    const eventId = index < countEntries(anchor.entries) ? idOfEntry(anchor.entries, index) : at.eventId;
    return findingOf(TamperKind.RewrittenHistory, { ...at, eventId, index: at.index! + index });
  }

  /** Continues after a seal without comparing its events. */
  #skip(seal: SealRecord, checkpoint: Checkpoint): Finding | null {
    const frontier = Frontier.of(seal.size, seal.frontier);
    if (frontier === null || frontier.root.toString('hex') !== checkpoint.root) {
      const at = { eventId: null, index: seal.size, checkpoint: seal.number };
      return findingOf(TamperKind.ChangedSeal, at, `the subtrees of checkpoint ${seal.number} do not have its root`);
    }
    this.#frontier = frontier;
    return null;
  }

  /** Compares the events of a seal with it. */
  async #batchFault(seal: SealRecord, checkpoint: Checkpoint): Promise<Finding | null> {
    const start = this.#frontier.size;
    const found = new SealEntries();
    const { end } = checkpoint;
    let report: Finding | null = null;
    const cursor = this.#cursor;
    for (let range = await cursor.next(end); range !== null; range = await cursor.next(end)) {
      report ??= this.#reportFault(range, seal.number);
      found.add(range);
      this.#frontier.addAll(leavesOf(range));
      this.#events += range.to - range.from;
      this.#options.onProgress?.(this.#events, this.#checkpoints);
    }
    if (cursor.failure !== null) return await this.#unreadableEvent(cursor.failure);
    const isIntact = this.#frontier.size === seal.size && this.#frontier.root.toString('hex') === checkpoint.root;
    if (!isIntact) return await this.#located(seal, checkpoint, found.bytes, start);
    return report ?? this.#storedFault(seal, checkpoint, start);
  }

  /** An event that reports another checkpoint than the one that is stored: a log that was sealed again still has the first reports. */
  #reportFault({ digests, from, to }: DigestRange, number: number): Finding | null {
    for (const i of digests.reports) {
      const report = i < from || i >= to ? null : reportOf(digests.bodyAt(i));
      if (report === null) continue;
      const stored = this.#recent.get(report.number);
      const isStored = stored === undefined ? report.number < number : stored === report.checkpoint;
      if (isStored) continue;
      const at = { eventId: digests.idAt(i), index: this.#frontier.size + i - from, checkpoint: report.number };
      const text = 'the event reports another checkpoint than the one that is stored';
      return findingOf(TamperKind.RewrittenHistory, at, text);
    }
    return null;
  }

  /** A row that cannot be read at all, such as one with metadata that are not JSON. Readers fail for the whole page that it is in. */
  async #unreadableEvent({ message }: Error): Promise<Finding> {
    const text = `the event cannot be read: ${message}`;
    for await (const { number, size, entries } of this.#log.readSeals(this.#previous?.checkpoint.number ?? 0)) {
      const count = countEntries(entries);
      for (let i = 0; i < count; i++) {
        const eventId = idOfEntry(entries, i);
        if (await this.#log.isReadable(eventId)) continue;
        return findingOf(TamperKind.ChangedMetadata, { eventId, index: size - count + i, checkpoint: number }, text);
      }
    }
    return findingOf(TamperKind.ChangedMetadata, { eventId: null, index: null, checkpoint: null }, text);
  }

  /** Whether any seal has an event. */
  async #isSealed(id: Uuid): Promise<boolean> {
    for await (const { entries } of this.#log.readSeals(0)) if (idsOfEntries(entries).has(id)) return true;
    return false;
  }

  /** What is wrong with the parts of a seal that are not signed directly. */
  #storedFault(seal: SealRecord, checkpoint: Checkpoint, start: number): Finding | null {
    const at = { eventId: null, index: start, checkpoint: seal.number };
    const intact = 'the events are as they were sealed';
    if (digestOfEntries(seal.entries) !== checkpoint.entries) {
      return findingOf(TamperKind.ChangedSeal, at, `the entries of checkpoint ${seal.number} were changed; ${intact}`);
    }
    if (Buffer.compare(this.#frontier.bytes, seal.frontier) !== 0) {
      return findingOf(TamperKind.ChangedSeal, at, `the subtrees of checkpoint ${seal.number} were changed; ${intact}`);
    }
    return null;
  }

  async #located(seal: SealRecord, checkpoint: Checkpoint, found: Uint8Array, start: number): Promise<Finding> {
    const { number } = seal;
    const isOwn = digestOfEntries(seal.entries) === checkpoint.entries;
    const entries = isOwn ? seal.entries : this.#anchored.entriesOf(number)?.entries;
    const located = entries === undefined ? null : await locate(entries, found, this.#known);
    if (located !== null) {
      const { kind, index, eventId } = located;
      return findingOf(kind, { eventId, index: start + index, checkpoint: number });
    }
    const eventId = countEntries(found) > 0 ? idOfEntry(found, 0) : null;
    const text = `the events of checkpoint ${number} and its entries were changed: this event or one of those that the checkpoint covers differs`;
    return findingOf(TamperKind.ChangedSeal, { eventId, index: start, checkpoint: number }, text);
  }

  async #atEnd(): Promise<Verification> {
    const number = this.#previous?.checkpoint.number ?? 0;
    const size = this.#previous?.checkpoint.size ?? 0;
    if (this.#previous === null && this.#anchored.last > 0) this.#isPinned = true;
    if (this.#anchored.last > number) {
      const entries = this.#anchored.entriesOf(number + 1)?.entries;
      const eventId = entries === undefined ? null : idOfEntry(entries, 0);
      const after =
        eventId === null
          ? `the log ends after event number ${size}, and an anchor has checkpoints of later events`
          : undefined;
      const at = { eventId, index: size, checkpoint: number + 1 };
      return this.#result(findingOf(TamperKind.TruncatedTail, at, after), null);
    }
    let unsealed = 0;
    const cursor = this.#cursor;
    for (let range = await cursor.next(); range !== null; range = await cursor.next()) {
      const { digests, from, to } = range;
      for (const i of digests.reports) {
        const reported = i < from ? 0 : (reportOf(digests.bodyAt(i))?.number ?? 0);
        if (reported <= number || (await this.#hasSeal(reported))) continue;
        const before = unsealed + i - from;
        const at = { eventId: digests.idAt(i), index: size + before, checkpoint: number + 1 };
        return this.#result(findingOf(TamperKind.RemovedSeal, at), before + 1);
      }
      unsealed += to - from;
    }
    return this.#result(null, unsealed);
  }

  /** Hosts may have stored it since the seals were read. */
  async #hasSeal(number: number): Promise<boolean> {
    for await (const seal of this.#log.readSeals(number - 1)) return seal.number === number;
    return false;
  }

  /** Reads from the first event that is to be compared. */
  get #cursor(): DigestCursor {
    this.#digests ??= new DigestCursor(this.#log.readPages(this.#previous?.checkpoint.end.sequence ?? -1));
    return this.#digests;
  }

  async #result(finding: Finding | null, unsealed: number | null): Promise<Verification> {
    await this.#digests?.close();
    return {
      finding,
      checkpoints: this.#checkpoints,
      events: this.#events,
      unsealed,
      last: this.#last,
      isPinned: this.#isPinned,
      anchored: this.#anchored.last === 0 ? null : this.#anchored.last,
    };
  }
}

function leavesOf({ digests: { leaves }, from, to }: DigestRange): Uint8Array {
  return leaves.subarray(from * hashBytes, to * hashBytes);
}
