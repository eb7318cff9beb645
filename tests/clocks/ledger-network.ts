import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type Uuid } from '@svc/core';
import { onTestFinished } from 'vitest';
import { createDatabase } from '../postgres/test-database.js';
import { brokerUrl } from '../rabbitmq/test-broker.js';
import { SkewedHost, type HostDatabase } from './skewed-hosts.js';

export const databases = {
  postgres: async (): Promise<HostDatabase> => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    return { kind: 'postgres', where: database.url };
  },
  sqlite: (): Promise<HostDatabase> => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-clocks-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return Promise.resolve({ kind: 'sqlite', where: join(folder, 'log.db') });
  },
};

export type DatabaseKind = keyof typeof databases;

/** A process, from its start until it is killed: what it has appended, in the order of its answers. */
export interface NetworkHost {
  readonly at: NetworkDatabase;
  process: SkewedHost;
  answered: string[];
}

export interface NetworkDatabase {
  readonly number: number;
  readonly database: HostDatabase;
  readonly hosts: NetworkHost[];
  /** The last event of the log that earlier histories left. */
  lastSequence: number;
  /** The events from other databases that its log is known to have. */
  readonly received: Set<Uuid>;
  /** The greatest of their ids. */
  latestReceived: string;
}

/** Databases, each with hosts of its own, connected by a broker when there are several. */
export class LedgerNetwork {
  readonly databases: readonly NetworkDatabase[];
  readonly hosts: readonly NetworkHost[];
  /** How far the clocks of all hosts are from the real time, before each is wrong by itself. */
  epochMs = 0;

  private constructor(started: readonly NetworkDatabase[]) {
    this.databases = started;
    this.hosts = started.flatMap(({ hosts }) => hosts);
  }

  /** `kinds`: the databases; `hostsOf`: how many hosts each of them has; `aheadMs`: how far clocks of others may be ahead. */
  static async start(
    kinds: readonly DatabaseKind[],
    hostsOf: readonly number[],
    aheadMs = 30 * 24 * 60 * 60 * 1_000,
  ): Promise<LedgerNetwork> {
    const hostNames = kinds.map((_, number) => `ledger-${number}`);
    const broker =
      kinds.length === 1 ? null : { url: await brokerUrl(), prefix: `${newId().slice(-12)}.`, hostNames, aheadMs };
    const started = await Promise.all(
      kinds.map(async (kind, number) => {
        const plain = await databases[kind]();
        const database = broker === null ? plain : { ...plain, broker: { ...broker, hostName: hostNames[number]! } };
        const at: NetworkDatabase = {
          number,
          database,
          hosts: [],
          lastSequence: -1,
          received: new Set(),
          latestReceived: '',
        };
        for (let i = 0; i < hostsOf[number]!; i++) {
          at.hosts.push({ at, process: await SkewedHost.start(database, 0), answered: [] });
        }
        return at;
      }),
    );
    return new LedgerNetwork(started);
  }

  /** Kills a host, and starts another in its place: with another clock, and without what the first one knew. */
  async restart(host: NetworkHost, skewMs: number): Promise<void> {
    await host.process.kill();
    host.process = await SkewedHost.start(host.at.database, this.epochMs + skewMs);
    host.answered = [];
  }

  async end(): Promise<void> {
    await Promise.all(this.hosts.map(({ process }) => process.kill()));
  }
}
