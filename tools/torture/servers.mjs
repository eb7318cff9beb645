/** The private servers of a run, which start when a run needs them: a PostgreSQL cluster with a database for each round, and a RabbitMQ node. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
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
  #databases = [];
  #created = 0;
  #folder = mkdtempSync(join(tmpdir(), 'svc-torture-'));
  #folders = 0;

  constructor({ sharedBrokerUrl = null } = {}) {
    this.sharedBrokerUrl = sharedBrokerUrl;
    // PostgreSQL runs as another user, and has tables on a small disk in it.
    chmodSync(this.#folder, 0o755);
  }

  cluster() {
    return (this.#cluster ??= createCluster());
  }

  broker() {
    return (this.#broker ??= createNode());
  }

  /** Creates a database on the cluster, and returns its URL. */
  async createDatabase() {
    const [cluster, name] = [await this.cluster(), `torture_${++this.#created}`];
    await execute(cluster.url, `CREATE DATABASE ${name}`);
    this.#databases.push(name);
    return cluster.urlOf(name);
  }

  /** Removes the databases of a round, so that a long run does not fill the disk. */
  async removeDatabases() {
    for (const name of this.#databases.splice(0)) {
      await execute((await this.cluster()).url, `DROP DATABASE ${name} WITH (FORCE)`);
    }
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
