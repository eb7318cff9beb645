/** Personal data in the audit: plain before an erasure, null after it, and encrypted for those without a key vault. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type Service, type Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { svc as svcPlugin } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { emittedEvents } from '../operations/emitted.js';
import { startCommand, svc } from '../operations/processes.js';
import { createDatabase } from '../postgres/test-database.js';
import { Customers, vaultText } from './customers.js';

let customers: Customers;
beforeAll(async () => void (customers = await Customers.generate()));
afterAll(() => customers.remove());

interface Opened {
  readonly where: string;
  readonly storage: Storage;
}

const databases: Record<string, () => Promise<Opened>> = {
  SQLite: () => {
    const where = join(temporaryFolder(), 'data.db');
    return Promise.resolve({ where, storage: sqlite({ file: where }) });
  },
  PostgreSQL: async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    return { where: database.url, storage: postgres({ url: database.url }) };
  },
};

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-personal-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const secret = 'Ann married in May.';
const patience = { timeout: 30_000 };

interface Reasons {
  readonly entries: readonly { readonly type: string; readonly reason: string | null }[];
}

const reasonsIn = ({ entries }: Reasons): (string | null)[] => entries.map(({ reason }) => reason);

describe.each(Object.entries(databases))('the audit of personal data on %s', (_, open) => {
  async function renamed(): Promise<Opened & { host: Service; app: FastifyInstance; ann: Uuid }> {
    const opened = await open();
    const host = await customers.start(opened.storage, (service) => service.addAuditQueries());
    onTestFinished(() => host.stop());
    const app = Fastify();
    await app.register(svcPlugin(host));
    const ann = newId();
    const { Register, Rename } = customers.classes;
    await host.dispatcher.invoke(Object.assign(new Register(), { customerId: ann, name: 'Ann', address: null }));
    await host.dispatcher.invoke(Object.assign(new Rename(), { customerId: ann, name: 'Anna', reason: secret }));
    await host.idle();
    return { ...opened, host, app, ann };
  }

  it('is readable for the service and over HTTP before an erasure, and null after it', async () => {
    const { host, app, ann } = await renamed();
    const types = ['shop.Rename', 'shop.CustomerRenamed'];
    const read = async (): Promise<(string | null)[][]> => {
      const url = `/audit?${types.map((type) => `type=${type}`).join('&')}`;
      const answer = await app.inject({ url });
      expect(answer.statusCode).toBe(200);
      return [
        reasonsIn(await host.audit.query({ type: types })),
        reasonsIn(await host.audit.query({ resource: ann, type: types })),
        reasonsIn(answer.json<Reasons>()),
      ];
    };
    expect(await read()).toEqual([[secret, secret], [secret], [secret, secret]]);
    await host.erase(ann, { reason: 'Request 17' });
    await host.idle();
    expect(await read()).toEqual([[null, null], [null], [null, null]]);
  });

  it('is decrypted on the command line with a key vault only', async () => {
    const { host, where, storage, ann } = await renamed();
    const vault = join(temporaryFolder(), 'vault');
    writeFileSync(vault, vaultText);
    const query = async (...more: string[]): Promise<{ out: string; reasons: (string | null)[] }> => {
      const args = ['audit', 'query', '--type', 'shop.CustomerRenamed', '--database', where, ...more];
      const json = await svc(...args, '--json');
      expect([json.code, json.error]).toEqual([0, '']);
      const { out } = await svc(...args);
      expect(json.out + out).not.toContain('svc-personal:');
      return { out, reasons: reasonsIn(JSON.parse(json.out) as Reasons) };
    };
    const shown = async (...more: string[]): Promise<string | null> => {
      const { out } = await svc('audit', 'show', `${ann}@1`, '--json', '--database', where, ...more);
      expect(out).not.toContain('svc-personal:');
      return (JSON.parse(out) as { event: { body: { reason: string | null } } }).event.body.reason;
    };
    const tail = startCommand('audit', 'tail', '--database', where, '--from', '2026-01-01', '--key-vault', vault);
    onTestFinished(() => void tail.child.kill('SIGKILL'));

    const without = await query();
    expect(without.reasons).toEqual(['[encrypted]']);
    expect(without.out).toMatch(/ \[encrypted\]$/);
    const decrypted = await query('--key-vault', vault);
    expect(decrypted.reasons).toEqual([secret]);
    expect(decrypted.out).toMatch(new RegExp(` ${secret}$`));
    expect([await shown(), await shown('--key-vault', vault)]).toEqual(['[encrypted]', secret]);
    vi.stubEnv('KEY_VAULT', vaultText);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await query()).reasons).toEqual([secret]);
    await tail.prints(secret);

    await host.erase(ann, { reason: 'Request 17' });
    await expect.poll(async () => (await query()).reasons, patience).toEqual([null]);
    expect(await shown()).toBeNull();
    vi.unstubAllEnvs();
    expect((await query()).reasons).toEqual(['[encrypted]']);
    const isDecrypted = async (): Promise<unknown[]> => {
      const queries = (await emittedEvents(storage, 'OperationStarted')).filter(({ kind }) => kind === 'audit.query');
      return queries.map((started) => (started['arguments'] as { decrypted: boolean }).decrypted).slice(0, 4);
    };
    await expect.poll(isDecrypted, patience).toEqual([false, false, true, true]);
  });
});
