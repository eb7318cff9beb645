import type { OutboxLane } from '@svc/core';
import type { Row, Statement } from './engine.js';
import type { Statements } from './statements.js';

/** The numbers of one transaction, which is the only one that writes: they go on from the highest that are there. */
export class Numbers {
  readonly #sql: Statements;
  readonly #last = new Map<string, number>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  nextSequence(): number {
    return this.#next('', (sql) => sql.lastSequence);
  }

  nextOutgoing(lane: OutboxLane): number {
    return this.#next(lane, (sql) => sql.lastOutgoing, lane);
  }

  #next(key: string, statement: (sql: Statements) => Statement, ...values: string[]): number {
    const next = (this.#last.get(key) ?? highest(statement(this.#sql).get(...values))) + 1;
    this.#last.set(key, next);
    return next;
  }
}

function highest(row: Row | undefined): number {
  return (row?.['sequence'] ?? -1) as number;
}
