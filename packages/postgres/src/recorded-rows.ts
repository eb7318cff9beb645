import { recordedByNameStatement } from './perspective-changes.js';
import type { Queryable } from './reader.js';
import type { Row } from './row.js';

interface JointRead {
  readonly names: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
}

/** Reads the records of tables: with one statement for all callers of the same moment, because a host looks at all of its perspectives together. */
export class RecordedRows {
  readonly #reader: Queryable;
  /** Its statement is not sent yet. */
  #next: JointRead | null = null;

  constructor(reader: Queryable) {
    this.#reader = reader;
  }

  async read(name: string): Promise<Row | undefined> {
    this.#next ??= this.#begin();
    this.#next.names.add(name);
    return (await this.#next.rows).get(name);
  }

  #begin(): JointRead {
    const names = new Set<string>();
    // After the promises that continue in this turn: their callers join.
    const rows = Promise.resolve().then(() => {
      this.#next = null;
      return this.#readAll([...names]);
    });
    return { names, rows };
  }

  async #readAll(names: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const rows = await this.#reader.rows('svc-perspectives-recorded', recordedByNameStatement, [names]);
    return new Map(rows.map((row) => [row['name']!, row]));
  }
}
