/** For how long repetitions of a record are counted. */
export const windowMs = 60_000;
/** How many different records of one group are emitted in a window; all further ones become one record. */
export const defaultMostOfGroup = 20;
/** How many records are remembered at once, over all groups. */
const mostWindows = 10_000;

/** Emits a record that represents `count` occurrences. */
export type EmitRecord = (count: number) => Promise<void>;

/** A record that a caller can repeat at will. */
export interface RepeatedRecord {
  /** The caller and kind: records of one group must not hide those of another. */
  readonly group: string;
  /** Records of the same group and key repeat one another. */
  readonly key: string;
  readonly emit: EmitRecord;
  /** Emits the shared record of a group that has too many different ones. */
  readonly emitOthers: EmitRecord;
}

interface Window {
  readonly group: string;
  readonly emit: EmitRecord;
  /** Resolves once its first record is emitted. */
  opened: Promise<void>;
  /** Occurrences since its last record. */
  count: number;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Limits how many records a caller can cause: the first occurrence is emitted at once, those of the next minute as one record with a count.
 * A host that is killed loses the counts of the last minute, never a first occurrence.
 */
export class RepeatedRecords {
  readonly #windows = new Map<string, Window>();
  readonly #openOf = new Map<string, number>();
  readonly #report: (error: unknown) => void;
  readonly #mostOfGroup: number;
  #isClosed = false;

  constructor(report: (error: unknown) => void, mostOfGroup = defaultMostOfGroup) {
    this.#report = report;
    this.#mostOfGroup = mostOfGroup;
  }

  /** Resolves once the record is emitted or counted. Rejects if it cannot be emitted; then it is not counted either. */
  async record({ group, key, emit, emitOthers }: RepeatedRecord): Promise<void> {
    const own = `${group}\n${key}`;
    const isOwn = this.#windows.has(own) || (this.#openOf.get(group) ?? 0) < this.#mostOfGroup;
    const id = isOwn ? own : `${group}\n`;
    const known = this.#windows.get(id);
    if (known !== undefined) {
      known.count++;
      // If the first record cannot be emitted, its repetitions must fail as well.
      await known.opened;
      return;
    }
    const window = this.#open(id, group, isOwn ? emit : emitOthers);
    try {
      window.opened = window.emit(1);
      await window.opened;
    } catch (error) {
      this.#end(id);
      throw error;
    }
  }

  /** Emits all counts. Later records are emitted at once, without a window. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#windows.keys()].map((id) => this.#elapse(id)));
  }

  #open(id: string, group: string, emit: EmitRecord): Window {
    if (this.#windows.size >= mostWindows) void this.#elapse(this.#windows.keys().next().value!, true);
    const window = { group, emit, count: 0, opened: Promise.resolve(), timer: this.#elapseLater(id) };
    this.#windows.set(id, window);
    this.#openOf.set(group, (this.#openOf.get(group) ?? 0) + 1);
    if (this.#isClosed) this.#end(id);
    return window;
  }

  #elapseLater(id: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => void this.#elapse(id), windowMs).unref();
  }

  /** Ends a window. If the record was repeated, another window follows. */
  async #elapse(id: string, isForgotten = this.#isClosed): Promise<void> {
    const window = this.#windows.get(id)!;
    const { count } = window;
    window.count = 0;
    if (count === 0 || isForgotten) this.#end(id);
    else window.timer = this.#elapseLater(id);
    if (count === 0) return;
    try {
      await window.emit(count);
    } catch (error) {
      // The next window includes them. Without one they are lost, and reported.
      window.count += count;
      this.#report(error);
    }
  }

  #end(id: string): void {
    const window = this.#windows.get(id);
    if (window === undefined) return;
    clearTimeout(window.timer);
    this.#windows.delete(id);
    const left = this.#openOf.get(window.group)! - 1;
    if (left === 0) this.#openOf.delete(window.group);
    else this.#openOf.set(window.group, left);
  }
}
