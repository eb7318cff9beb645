import type { Queryable, Reader, Value } from './reader.js';
import type { Row } from './row.js';

/** Runs statements that are safe to repeat over a direct connection, so that no pooler delays them; over the pool while there is none. */
export class DirectFirst implements Queryable {
  readonly #direct: () => Queryable | null;
  readonly #reader: Reader;

  constructor(direct: () => Queryable | null, reader: Reader) {
    this.#direct = direct;
    this.#reader = reader;
  }

  async rows(name: string | null, text: string, values: readonly Value[] = []): Promise<Row[]> {
    try {
      const rows = await this.#direct()?.rows(name, text, values);
      if (rows !== undefined) return rows;
    } catch {
      // If it fails again over the pool, the caller learns why.
    }
    return await this.#reader.rows(name, text, values);
  }
}
