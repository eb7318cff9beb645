import type { Uuid } from '@svc/core';
import type { Client } from 'pg';
import { isConnectionLost } from './failures.js';
import { modelsChannel } from './model-notices.js';
import { rawTypes } from './raw-types.js';
import type { Queryable, Value } from './reader.js';
import type { Row } from './row.js';

/** The channel on which a host notifies the host that delivers a lane of new messages. */
export const outboxChannel = 'svc_outbox';

/** The payload for all hosts. Other payloads are the id of one host. */
export const toAllHosts = 'everybody';

/** The payload for all hosts after an operator has requested an operation. */
export const operatorAsks = 'operator asks';

/** Called on notifications from other hosts. */
export interface NotificationHandlers {
  /** Called before `raise` when another host may have released leases, even after a reconnect. */
  readonly offered: () => void;
  /** Called when an operator may have requested an operation, even after a reconnect. */
  readonly asked: () => void;
  /** Called with every notification: it may be about scheduled commands. */
  readonly scheduled: (payload: string) => void;
  /** Called when models have changed; with null after a reconnect. */
  readonly changed: (payload: string | null) => void;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Listens on its own connection and reconnects if it is lost. After a reconnect it raises once, because notifications may be lost. */
export class Notifications implements Queryable {
  readonly #newClient: () => Client;
  readonly #self: Uuid;
  readonly #raise: () => void;
  readonly #handlers: NotificationHandlers;
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #pauseMs = firstPauseMs;
  #listening = false;
  /** The last statement over the connection, which runs one at a time. */
  #lastStatement: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(newClient: () => Client, self: Uuid, raise: () => void, handlers: NotificationHandlers) {
    this.#newClient = newClient;
    this.#self = self;
    this.#raise = raise;
    this.#handlers = handlers;
  }

  async start(): Promise<void> {
    if (this.#closed) return;
    const client = this.#newClient();
    this.#client = client;
    client.on('error', () => {});
    client.once('end', () => this.#connectAgain(client));
    const { offered, asked, scheduled, changed } = this.#handlers;
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === modelsChannel) return changed(payload);
      if (payload === toAllHosts) offered();
      if (payload === operatorAsks) asked();
      scheduled(payload);
      if (payload === this.#self || payload === toAllHosts) this.#raise();
    });
    try {
      await client.connect();
      await client.query(`LISTEN ${outboxChannel}; LISTEN ${modelsChannel}`);
      this.#pauseMs = firstPauseMs;
      this.#listening = true;
      offered();
      asked();
      changed(null);
      this.#raise();
    } catch {
      this.#connectAgain(client);
    }
  }

  /** Runs a statement over the open connection. Rejects if there is none at the moment. */
  async rows(name: string | null, text: string, values: readonly Value[] = []): Promise<Row[]> {
    const answer = this.#lastStatement.then(() =>
      this.#ask({ ...(name !== null && { name }), text, values: [...values] }),
    );
    this.#lastStatement = answer.catch(() => {});
    return await answer;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => {});
  }

  async #ask(statement: { name?: string; text: string; values: Value[] }): Promise<Row[]> {
    const client = this.#client;
    if (client === undefined || !this.#listening)
      throw new Error('The connection to PostgreSQL is lost. svc is reconnecting.');
    try {
      const { rows } = await client.query<Row>({ ...statement, types: rawTypes });
      return rows;
    } catch (error) {
      // A connection that does not answer may be lost unnoticed, so it is replaced.
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
