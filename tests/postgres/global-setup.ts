import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createCluster } from '../../tools/postgres/cluster.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * A PostgreSQL server on which tests make databases of their own; null, and why, when there is none. `template`: the database that
     * `migrated-template.ts` makes.
     */
    readonly postgres: { readonly url: string | null; readonly why: string; readonly template: string };
  }
}

/** The server that `SVC_TEST_DATABASE_URL` names, or a private one that lives as long as the tests run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const template = `svc_template_${randomBytes(8).toString('hex')}`;
  const given = process.env['SVC_TEST_DATABASE_URL'] ?? '';
  if (given !== '') {
    project.provide('postgres', { url: given, why: '', template });
    return () => dropDatabase(given, template);
  }
  try {
    // Its data need not survive the machine, and making databases is much faster so.
    const cluster = await createCluster({ fsync: 'off' });
    project.provide('postgres', { url: cluster.url, why: '', template });
    return () => cluster.remove();
  } catch (error) {
    // The tests that need it fail with this; the others run.
    project.provide('postgres', { url: null, why: error instanceof Error ? error.message : String(error), template });
    return () => Promise.resolve();
  }
}

async function dropDatabase(server: string, name: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
