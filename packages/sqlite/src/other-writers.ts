import type { Connection } from './connection.js';

/** How often the file is checked, which takes a few microseconds. */
export const lookMs = 100;

/** Detects writes of other processes to the file, because SQLite has no notifications. Does not prevent the process from ending. */
export class OtherWriters {
  readonly #noticed: () => void;
  #timer: NodeJS.Timeout | undefined;
  #seen: number | undefined;

  constructor(noticed: () => void) {
    this.#noticed = noticed;
  }

  watch(connection: Connection): void {
    this.#look(connection);
    this.#timer = setInterval(() => this.#look(connection), lookMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(connection: Connection): void {
    let version: number;
    try {
      version = connection.dataVersion();
    } catch {
      // The next check or poll detects the change.
      return;
    }
    const isChanged = this.#seen !== undefined && this.#seen !== version;
    this.#seen = version;
    if (isChanged) this.#noticed();
  }
}
