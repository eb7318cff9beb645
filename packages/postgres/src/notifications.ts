import type { Uuid } from '@svc/core';
import pg, { type Client, type ClientConfig } from 'pg';
import { isConnectionLost } from './failures.js';
import { rawTypes } from './raw-types.js';
import type { Asking, Value } from './reader.js';
import type { Row } from './rows.js';

/** The channel on which hosts tell the one that delivers a lane that there is something in it. */
export const outboxChannel = 'svc_outbox';

/** What is said on it to all hosts; anything else is the id of the one it is for. */
export const toEverybody = 'everybody';

/** The same when an operator has asked for something. */
export const operatorAsks = 'operator asks';

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Listens on a connection of its own, and connects again when it is lost. What was said meanwhile is made up for by raising once. */
export class Notifications implements Asking {
  readonly #config: ClientConfig;
  readonly #self: Uuid;
  readonly #raise: () => void;
  readonly #offered: () => void;
  readonly #asked: () => void;
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pauseMs = firstPauseMs;
  #listening = false;
  /** What was asked last over the connection: one question at a time. */
  #question: Promise<unknown> = Promise.resolve();
  #closed = false;

  /**
   * `offered` is called before `raise` when leases were given back, `asked` when an operator asks for something; both when that may
   * have happened while nobody listened.
   */
  constructor(config: ClientConfig, self: Uuid, raise: () => void, offered: () => void, asked: () => void) {
    this.#config = config;
    this.#self = self;
    this.#raise = raise;
    this.#offered = offered;
    this.#asked = asked;
  }

  async start(): Promise<void> {
    if (this.#closed) return;
    const client = new pg.Client(this.#config);
    this.#client = client;
    client.on('error', () => {});
    client.once('end', () => this.#connectAgain(client));
    client.on('notification', ({ payload }) => {
      if (payload === toEverybody) this.#offered();
      if (payload === operatorAsks) this.#asked();
      if (payload === this.#self || payload === toEverybody) this.#raise();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${outboxChannel}`);
      this.#pauseMs = firstPauseMs;
      this.#listening = true;
      this.#offered();
      this.#asked();
      this.#raise();
    } catch {
      this.#connectAgain(client);
    }
  }

  /** Asks over the connection that is there; rejects when there is none at the moment. */
  async rows(name: string | null, text: string, values: readonly Value[] = []): Promise<Row[]> {
    const answer = this.#question.then(() => this.#ask({ ...(name !== null && { name }), text, values: [...values] }));
    this.#question = answer.catch(() => {});
    return await answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => {});
  }

  async #ask(statement: { name?: string; text: string; values: Value[] }): Promise<Row[]> {
    const client = this.#client;
    if (client === undefined || !this.#listening) throw new Error('There is no connection to the database.');
    try {
      const { rows } = await client.query<Row>({ ...statement, types: rawTypes });
      return rows;
    } catch (error) {
      // One that does not answer may be lost without a word, and would be for as long as it is kept.
      if (isConnectionLost(error)) this.#connectAgain(client);
      throw error;
    }
  }

  #connectAgain(lost: Client): void {
    if (this.#client === lost) this.#listening = false;
    if (this.#closed || this.#client !== lost) return;
    this.#client = undefined;
    void lost.end().catch(() => {});
    this.#retry = setTimeout(() => void this.start(), this.#pauseMs * (0.5 + Math.random()));
    this.#retry.unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
