/** The private servers of a run, which start when a run needs them: a PostgreSQL cluster with a database for each round, and a RabbitMQ node. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createCluster } from '../postgres/cluster.mjs';
import { createNode } from '../rabbitmq/node.mjs';

export class Servers {
  /** A broker that is not private, and so never stopped; null: there is none. */
  sharedBrokerUrl;
  #cluster = null;
  #broker = null;
  #databases = 0;
  #folder = mkdtempSync(join(tmpdir(), 'svc-torture-'));
  #folders = 0;

  constructor({ sharedBrokerUrl = null } = {}) {
    this.sharedBrokerUrl = sharedBrokerUrl;
  }

  cluster() {
    return (this.#cluster ??= createCluster());
  }

  broker() {
    return (this.#broker ??= createNode());
  }

  /** Creates a database on the cluster. */
  async createDatabase() {
    const [cluster, name] = [await this.cluster(), `torture_${++this.#databases}`];
    await execute(cluster.url, `CREATE DATABASE ${name}`);
    return { url: cluster.urlOf(name), remove: () => execute(cluster.url, `DROP DATABASE ${name} WITH (FORCE)`) };
  }

  /** An empty folder. */
  createFolder() {
    return mkdtempSync(join(this.#folder, `${++this.#folders}-`));
  }

  async remove() {
    const servers = await Promise.all([this.#cluster, this.#broker].map((server) => server?.catch(() => null)));
    await Promise.all(servers.map((server) => server?.remove()));
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Runs one statement. */
export async function execute(url, sql) {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
