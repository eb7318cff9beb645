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

/** A statement without a name, such as a COPY, is an object with methods and stays as it is. */
function unnamed(statement: unknown): unknown {
  const hasName = typeof statement === 'object' && statement !== null && 'name' in statement;
  return hasName ? { ...statement, name: undefined } : statement;
}
