/** How long a record stands for those that repeat it. */
export const windowMs = 60_000;
/** How many different records of one group are emitted in a window, unless told otherwise; all others of the group become one. */
export const usualMostOfGroup = 20;
/** How many records are remembered at once, over all groups. */
const mostWindows = 10_000;

/** Emits a record that stands for `count` occurrences. */
export type EmitRecord = (count: number) => Promise<void>;

export interface RepeatedRecord {
  /** Who causes it: what one of them does must not hide what another does. */
  readonly group: string;
  /** Records of the same group and key repeat one another. */
  readonly key: string;
  readonly emit: EmitRecord;
  /** Emits it in place of a record of its own, once the group has too many. */
  readonly emitOthers: EmitRecord;
}

interface Window {
  readonly group: string;
  readonly emit: EmitRecord;
  /** Resolves once its first record is emitted. */
  opened: Promise<void>;
  /** What has happened since the last record of it. */
  count: number;
  timer: ReturnType<typeof setTimeout>;
}

/**
 * Bounds what a caller can write by repeating itself: the first occurrence is emitted at once, those of the following minute as one record
 * with their number. A host that is killed loses the numbers of the last minute, never a first occurrence.
 */
export class RepeatedRecords {
  readonly #windows = new Map<string, Window>();
  readonly #openOf = new Map<string, number>();
  readonly #report: (error: unknown) => void;
  readonly #mostOfGroup: number;
  #isClosed = false;

  constructor(report: (error: unknown) => void, mostOfGroup = usualMostOfGroup) {
    this.#report = report;
    this.#mostOfGroup = mostOfGroup;
  }

  /** Resolves once it is emitted, or counted. Rejects when it cannot be emitted: then it was not counted either. */
  async record({ group, key, emit, emitOthers }: RepeatedRecord): Promise<void> {
    const own = `${group}\n${key}`;
    const isOwn = this.#windows.has(own) || (this.#openOf.get(group) ?? 0) < this.#mostOfGroup;
    const id = isOwn ? own : `${group}\n`;
    const known = this.#windows.get(id);
    if (known !== undefined) {
      known.count++;
      // What repeats a record that is not emitted would be lost with it.
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

  /** Emits what was counted. From now on everything is emitted at once, and nothing is waited for. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#windows.keys()].map((id) => this.#elapse(id)));
  }

  #open(id: string, group: string, emit: EmitRecord): Window {
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= mostWindows && oldest !== undefined) void this.#elapse(oldest, true);
    const window = { group, emit, count: 0, opened: Promise.resolve(), timer: this.#elapseLater(id) };
    this.#windows.set(id, window);
    this.#openOf.set(group, (this.#openOf.get(group) ?? 0) + 1);
    if (this.#isClosed) this.#end(id);
    return window;
  }

  #elapseLater(id: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => void this.#elapse(id), windowMs).unref();
  }

  /** The window is over. While it repeats, another one follows; otherwise the record is forgotten. */
  async #elapse(id: string, isForgotten = this.#isClosed): Promise<void> {
    const window = this.#windows.get(id);
    if (window === undefined) return;
    const { count } = window;
    window.count = 0;
    if (count === 0 || isForgotten) this.#end(id);
    else window.timer = this.#elapseLater(id);
    if (count === 0) return;
    try {
      await window.emit(count);
    } catch (error) {
      // The next window of it counts them; without one they are lost, and the report says so.
      window.count += count;
      this.#report(error);
    }
  }

  #end(id: string): void {
    const window = this.#windows.get(id);
    if (window === undefined) return;
    clearTimeout(window.timer);
    this.#windows.delete(id);
    const left = (this.#openOf.get(window.group) ?? 1) - 1;
    if (left === 0) this.#openOf.delete(window.group);
    else this.#openOf.set(window.group, left);
  }
}
