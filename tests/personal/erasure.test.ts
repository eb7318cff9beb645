/** An erased subject: its data read as null everywhere, and no byte of them is in the database. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CommandAudited,
  EventAudited,
  newId,
  OperationStarted,
  SubjectErased,
  type Service,
  type Uuid,
} from '@svc/core';
import { folderArchive, type Storage } from '@svc/core/storage';
import { collect } from '@svc/core/testing';
import { run } from '@svc/cli';
import { runAs, sealedLogOf, verifySeals } from '@svc/core/hosting';
import { svc } from '@svc/fastify';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ManualTransport } from '../inbox/hosts.js';
import { createDatabase } from '../postgres/test-database.js';
import { allSealed, newKey } from '../seals/sealed-shop.js';
import { records } from '../system-events/shop.js';
import { callerOf } from '../tenants/bank.js';
import { Customers, vaultText } from './customers.js';

let customers: Customers;
beforeAll(async () => void (customers = await Customers.generate()));
afterAll(() => customers.remove());

interface Opened {
  readonly storages: readonly Storage[];
  /** The files of the database, with its write-ahead log. */
  bytes(): Promise<readonly Buffer[]>;
}

const databases: Record<string, () => Promise<Opened>> = {
  SQLite: () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-erasure-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'data.db');
    return Promise.resolve({
      storages: [sqlite({ file }), sqlite({ file })],
      bytes: () => Promise.resolve(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
    });
  },
  PostgreSQL: async () => {
    const database = await createDatabase();
    onTestFinished(() => database.remove());
    const bytes = async (): Promise<Buffer[]> => {
      await database.query('VACUUM FULL');
      await database.query('CHECKPOINT');
      const { rows } = await database.query(
        "SELECT current_setting('data_directory') AS folder, oid FROM pg_database WHERE datname = current_database()",
      );
      const { folder, oid } = rows[0] as { folder: string; oid: number };
      return [join(folder, 'base', String(oid)), join(folder, 'pg_wal')].flatMap((path) =>
        readdirSync(path, { withFileTypes: true })
          .filter((entry) => entry.isFile() && existsSync(join(path, entry.name)))
          .map((entry) => readFileSync(join(path, entry.name))),
      );
    };
    return { storages: [postgres({ url: database.url }), postgres({ url: database.url })], bytes };
  },
};

describe.each(Object.entries(databases))('on %s', (_name, open) => {
  it('does not change what was sealed', async () => {
    const { storages } = await open();
    const [storage] = storages as [Storage];
    const host = await customers.start(storage, (service) => service.addSeals({ keys: [newKey()], everyMs: 20 }));
    onTestFinished(() => host.stop());
    const ann = newId();
    const payload = { customerId: ann, name: 'Ann', address: { street: 'Street', city: 'City' } };
    await host.dispatcher.invoke(Object.assign(new customers.classes.Register(), payload));
    await host.idle();
    await allSealed(storage);
    const { number: before } = (await storage.seals!.readLast())!;
    await host.erase(ann, { reason: 'Request 17' });
    expect((await collect(host.eventStore.readStream(ann)))[0]!.envelope.payload).toMatchObject({ name: null });
    await host.idle();
    await allSealed(storage);
    expect((await storage.seals!.readLast())!.number).toBeGreaterThan(before);
    expect(await verifySeals(sealedLogOf(storage))).toMatchObject({ finding: null });
  });

  it('erases a subject on all hosts, and nothing of another one', async () => {
    const { storages, bytes } = await open();
    const transport = new ManualTransport();
    const hosts = [
      await customers.start(storages[0]!, (service) => service.useTransport(transport)),
      await customers.start(storages[1]!),
    ];
    onTestFinished(async () => void (await Promise.all(hosts.map((host) => host.stop()))));
    const [host, other] = hosts as [Service, Service];
    const app = Fastify();
    await app.register(svc(host));
    const mark = randomBytes(8).toString('hex');
    const [ann, bob] = [newId(), newId()];
    const headers = { 'idempotency-key': newId() };
    for (const [customerId, name] of [
      [ann, `Ann ${mark}`],
      [bob, `Bob ${mark}`],
    ] as const) {
      const payload = { customerId, name, address: { street: `Street ${mark}`, city: `City ${mark}` } };
      const answer = await app.inject({
        method: 'POST',
        url: '/register',
        payload,
        ...(customerId === ann && { headers }),
      });
      expect(answer.statusCode).toBe(200);
    }
    await rename(host, ann, `Anna ${mark}`);
    await rename(host, ann, `Anne ${mark}`);
    await host.idle();
    await other.idle();
    expect(await modelOf(other, ann)).toMatchObject({ name: `Anne ${mark}`, city: `City ${mark}` });
    expect(transport.published.map(({ type }) => type)).toContain('shop.CustomerRegistered');
    expect(JSON.stringify(transport.published)).not.toContain(mark);

    const result = await host.erase(ann, { reason: 'Request 17', erasedBy: 'olga' });
    expect(result).toMatchObject({ events: 3, results: 1, perspectives: ['Customers'] });
    expect(result.snapshots).toBeGreaterThan(0);

    for (const service of hosts) {
      await service.idle();
      const events = await collect(service.eventStore.readStream(ann));
      expect(events.map(({ envelope }) => envelope.payload)).toMatchObject([
        { customerId: ann, name: null, address: null },
        { customerId: ann, name: null },
        { customerId: ann, name: null },
      ]);
      expect(await modelOf(service, ann)).toEqual({ customerId: ann, name: null, city: null, renamed: 2 });
      expect(await modelOf(service, bob)).toMatchObject({ name: `Bob ${mark}`, city: `City ${mark}` });
    }
    const audited = await records(host, EventAudited);
    expect(audited.find(({ originalStreamId }) => originalStreamId === ann)!.originalBody).toEqual({
      customerId: ann,
      name: null,
      address: null,
    });
    const commands = await records(host, CommandAudited);
    expect(commands[0]!.commandBody).toEqual({ customerId: ann, name: null, address: null });
    await expect(rename(host, ann, 'Again')).rejects.toThrow('The name is unknown.');
    expect(await records(host, SubjectErased)).toMatchObject([
      { subject: ann, reason: 'Request 17', erasedBy: 'olga', events: 3, results: 1, perspectives: ['Customers'] },
    ]);

    // A second request, and one for a person of whom nothing is stored, change nothing.
    expect(await host.erase(ann, { reason: 'Request 17' })).toMatchObject({ events: 3, snapshots: 0, results: 0 });
    expect(await host.erase(newId(), { reason: 'Request 18' })).toMatchObject({ events: 0, perspectives: [] });

    const files = await bytes();
    expect(files.some((file) => file.includes('svc-personal:1:'))).toBe(true);
    expect(files.filter((file) => file.includes(mark))).toHaveLength(0);
  });
});

it('can be requested by operators without a tenant only', async () => {
  const host = await customers.start((await databases['SQLite']!()).storages[0]!);
  onTestFinished(() => host.stop());
  const caller = callerOf('acme/ann system:write');
  await expect(runAs(caller, () => host.erase('ann', { reason: 'none' }))).rejects.toMatchObject({
    code: 'SVC_ACCESS_DENIED',
  });
});

const rename = (service: Service, customerId: Uuid, name: string): Promise<unknown> =>
  service.dispatcher.invoke(Object.assign(new customers.classes.Rename(), { customerId, name }));

const modelOf = (service: Service, key: string): Promise<unknown> =>
  service.lens(customers.classes.Customers).find(key);

describe('the command line', () => {
  it('exports the data of a subject, and requests its erasure from a running host', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-erasure-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'data.db');
    const vaultFile = join(folder, 'vault');
    writeFileSync(vaultFile, vaultText);
    const archive = join(folder, 'archive');
    const host = await customers.start(sqlite({ file, archive: folderArchive(archive) }));
    onTestFinished(() => host.stop());
    const [ann, bob] = [newId(), newId()];
    for (const [customerId, name] of [
      [ann, 'Ann'],
      [bob, 'Bob'],
    ] as const) {
      await host.dispatcher.invoke(
        Object.assign(new customers.classes.Register(), { customerId, name, address: null }),
      );
    }
    await host.idle();
    const svcCommand = async (...args: string[]): Promise<{ code: number; text: string }> => {
      const lines: string[] = [];
      const line = (text: string): void => void lines.push(text);
      const code = await run([...args, '--database', file, '--as', 'olga'], {
        out: line,
        error: line,
        progress: () => {},
      } as never);
      return { code, text: lines.join('\n') };
    };
    const exported = await svcCommand('subject', 'export', ann, '--key-vault', vaultFile);
    expect(exported).toMatchObject({ code: 0 });
    const data = JSON.parse(exported.text) as SubjectData;
    expect(data.events.map(({ type, body }) => [type, body])).toEqual([
      ['shop.CustomerRegistered', { customerId: ann, name: 'Ann', address: null }],
      ['svc.CommandAudited', expect.objectContaining({ commandBody: { customerId: ann, name: 'Ann', address: null } })],
    ]);
    expect(data.scheduled).toMatchObject([{ type: 'shop.Rename', body: { name: 'Ann the Later' } }]);
    expect(exported.text).not.toContain('Bob');

    expect(await svcCommand('archive', '--before', new Date().toISOString(), '--to', archive)).toMatchObject({
      code: 0,
    });
    expect(await svcCommand('subject', 'export', ann, '--key-vault', vaultFile)).toMatchObject({
      code: 1,
      text: expect.stringContaining(
        'Pass --archive <folder>, with the folder that svc archive has written to.',
      ) as string,
    });
    const archived = await svcCommand('subject', 'export', ann, '--key-vault', vaultFile, '--archive', archive);
    expect(JSON.parse(archived.text)).toEqual(data);

    expect(await svcCommand('erase', ann)).toMatchObject({
      code: 2,
      text: expect.stringContaining('--reason') as string,
    });
    const erased = await svcCommand('erase', ann, '--reason', 'Request 17');
    expect(erased).toMatchObject({ code: 0 });
    expect(erased.text).toContain(
      `Erased ${ann}: personal data in 1 event is now null, and the models of Customers were rebuilt.`,
    );
    expect(await modelOf(host, ann)).toMatchObject({ name: null });
    expect(await records(host, SubjectErased)).toMatchObject([
      { subject: ann, reason: 'Request 17', erasedBy: 'olga' },
    ]);
    const completed = await svcCommand('erase', ann, '--reason', 'Request 17');
    expect(completed).toMatchObject({ code: 0, text: expect.stringContaining(`Erased ${ann}`) as string });
    const unknown = await svcCommand('erase', 'nobody', '--reason', 'Request 18');
    expect(unknown).toMatchObject({
      code: 1,
      text: expect.stringContaining('has no personal data of nobody: this subject has never had a key.') as string,
    });
    const again = await svcCommand('subject', 'export', ann, '--key-vault', vaultFile);
    expect(JSON.parse(again.text)).toMatchObject({ events: [], scheduled: [], deadLetters: [] });
    const kinds = async (): Promise<string[]> => (await records(host, OperationStarted)).map(({ kind }) => kind);
    await expect
      .poll(kinds)
      .toEqual([
        'subjects.export',
        'archive',
        'subjects.export',
        'subjects.export',
        'subjects.erase',
        'subjects.erase',
        'subjects.export',
      ]);
  });

  it('erases a subject that one of several databases has, and rejects one that none has', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-erasure-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [eu, us] = [join(folder, 'eu.db'), join(folder, 'us.db')];
    vi.stubEnv('DATABASES', `eu=${eu} us=${us}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const svcCommand = async (...args: string[]): Promise<[code: number, out: string, error: string]> => {
      const [out, error]: [string[], string[]] = [[], []];
      const code = await run(args, { out: (line) => void out.push(line), error: (line) => void error.push(line) });
      return [code, out.join('\n'), error.join('\n')];
    };
    expect((await svcCommand('migrate', 'up'))[0]).toBe(0);
    const host = await customers.start(sqlite({ file: us }));
    onTestFinished(() => host.stop());
    const bob = newId();
    await host.dispatcher.invoke(
      Object.assign(new customers.classes.Register(), { customerId: bob, name: 'Bob', address: null }),
    );
    await host.idle();
    const [code, out, error] = await svcCommand('erase', bob, '--reason', 'Request 19');
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain(`has no personal data of ${bob}`);
    expect(out).toContain(`Erased ${bob}`);
    const unknown = await svcCommand('erase', 'nobody', '--reason', 'Request 20');
    expect(unknown).toEqual([1, expect.any(String), expect.stringContaining('Database us: ')]);
  });
});

interface SubjectData {
  readonly events: readonly { readonly type: string; readonly body: unknown }[];
  readonly scheduled: readonly { readonly type: string; readonly body: unknown }[];
}
