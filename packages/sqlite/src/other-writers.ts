import type { Connection } from './connection.js';

/** How often the file is looked at. That takes a few microseconds. */
export const lookMs = 100;

/** Notices that another process has written to the file, since SQLite has no way to tell. Keeps no process alive. */
export class OtherWriters {
  readonly #noticed: () => void;
  #timer: NodeJS.Timeout | undefined;
  #seen: number | undefined;

  constructor(noticed: () => void) {
    this.#noticed = noticed;
  }

  watch(connection: Connection): void {
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
      // The next look tells as much, and whoever polls comes by in any case.
      return;
    }
    const isChanged = this.#seen !== undefined && this.#seen !== version;
    this.#seen = version;
    if (isChanged) this.#noticed();
  }
}
