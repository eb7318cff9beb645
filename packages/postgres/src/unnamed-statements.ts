import type { Client, ClientConfig } from 'pg';

/**
 * The class of clients behind a pooler that gives each transaction another session: a statement that was prepared in one session is missing in
 * the next. So every statement is sent without its name, and PostgreSQL plans it for its values.
 */
export function unnamedStatements(Base: typeof Client): typeof Client {
  return class UnnamedStatements extends Base {
    constructor(config?: string | ClientConfig) {
      super(config);
      const send = this.query.bind(this) as (...args: unknown[]) => unknown;
      this.query = ((statement: unknown, ...rest: unknown[]) => send(unnamed(statement), ...rest)) as typeof this.query;
    }
  };
}

function unnamed(statement: unknown): unknown {
  return typeof statement === 'object' && statement !== null ? { ...statement, name: undefined } : statement;
}
