import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';

/** The tables of the service, and its connections. */
@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  readonly pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] });

  async onModuleInit(): Promise<void> {
    await this.pool.query(`
      CREATE TABLE IF NOT EXISTS events (
        sequence bigserial PRIMARY KEY,
        stream_id uuid NOT NULL,
        position int NOT NULL,
        type text NOT NULL,
        body jsonb NOT NULL,
        at timestamptz NOT NULL,
        UNIQUE (stream_id, position)
      );
      CREATE TABLE IF NOT EXISTS audit (
        sequence bigserial PRIMARY KEY,
        type text NOT NULL,
        body jsonb NOT NULL,
        user_id text,
        at timestamptz NOT NULL
      );
      CREATE TABLE IF NOT EXISTS lent_books (
        book_id uuid PRIMARY KEY,
        member text NOT NULL,
        lent_at timestamptz NOT NULL
      );
      CREATE INDEX IF NOT EXISTS lent_books_member ON lent_books (member);
    `);
  }

  /** Runs statements in one transaction. */
  async transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
