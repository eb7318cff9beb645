/** The commands of an operator cover all databases of a service. */
import { newId } from '@svc/core';
import { InProcessTransport } from '@svc/core/transport';
import { transportMessage } from '@svc/core/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { svc } from '../operations/processes.js';
import { openBank, type Bank } from '../tenants/bank.js';
import { describePairs, type Name, type Pair } from './pairs.js';

interface Answer {
  readonly name: Name;
  readonly exitCode: number;
  readonly output: never;
}

afterEach(() => vi.unstubAllEnvs());

async function json<T>(...args: string[]): Promise<T> {
  const { code, out, error } = await svc(...args, '--json');
  expect([code, error]).toEqual([0, '']);
  return JSON.parse(out) as T;
}

describePairs((fresh) => {
  let pair: Pair;
  let bank: Bank;
  let transport: InProcessTransport;

  async function prepared(state?: 'empty'): Promise<void> {
    pair = await fresh(state);
    vi.stubEnv('DATABASES', `eu=${pair.where.eu}\n  us=${pair.where.us}`);
  }

  async function started(): Promise<void> {
    await prepared();
    transport = new InProcessTransport();
    bank = await openBank({
      storage: pair.open(),
      configure: (service) =>
        service
          .reportTo(() => {})
          .useTransport(transport.host('bank'))
          .acceptEvents({ from: 'branch', namespaces: ['bank'] }),
    });
    for (const who of ['acme/ann', 'us-corp/bob', 'us-corp/bob']) {
      expect((await bank.post(who, '/accounts/open', { accountId: newId() })).statusCode).toBe(200);
    }
    await bank.service.idle();
  }

  it('migrates all of them, and shows what is migrated in each', async () => {
    await prepared('empty');
    const up = await svc('migrate', 'up');
    expect([up.code, up.error]).toEqual([0, '']);
    expect(up.out).toMatch(/^Database eu\n.*: migrated .*\n\nDatabase us\n.*: migrated /);
    const plan = await svc('migrate', 'plan');
    expect(plan.out).toMatch(/^Database eu\n.*: nothing to do\.\n\nDatabase us\n.*: nothing to do\.$/);
    const states = await json<{ name: Name; output: { items: { key: string }[] } }[]>('migrate', 'status');
    for (const { output } of states) expect(output.items.map(({ key }) => key)).toContain('infrastructure/events');
  });

  it('lists and rebuilds perspectives in all of them, or in the one that is named', async () => {
    await started();
    const lists = await json<{ name: Name; output: { perspectives: { name: string; behind: number }[] } }[]>(
      'perspectives',
      'list',
    );
    expect(lists.map(({ name, output }) => [name, output.perspectives.length])).toEqual([
      ['eu', 3],
      ['us', 3],
    ]);
    const all = await svc('perspectives', 'rebuild', 'AccountPerspective');
    expect([all.code, all.error]).toEqual([0, '']);
    expect(all.out).toMatch(
      /^Database eu\n(?:.*\n)*Rebuilt AccountPerspective: 1 stream, 1 event in .*\n\nDatabase us\n(?:.*\n)*Rebuilt AccountPerspective: 2 streams, 2 events/,
    );
    const one = await svc('perspectives', 'rebuild', 'AccountPerspective', '--database', 'us');
    expect(one.out).toMatch(/Rebuilt AccountPerspective: 2 streams, 2 events/);
    expect(one.out).not.toContain('Database');
    expect((await svc('perspectives', 'retry', 'AccountPerspective')).out).toMatch(
      /^Database eu\n(?:.*\n)*AccountPerspective has no stopped streams\.\n\nDatabase us\n(?:.*\n)*AccountPerspective has no stopped streams\.$/,
    );
  });

  it('lists, replays and discards dead letters in all of them', async () => {
    await started();
    const broken = { type: 'bank.Deposited', destination: 'bank', body: '{', origin: 'branch' };
    await transport
      .host('branch')
      .publish(['acme', 'us-corp'].map((tenantId) => transportMessage({ ...broken, scope: { tenantId } })));
    await transport.idle();
    type Letters = { readonly name: Name; readonly output: { readonly deadLetters: { readonly id: string }[] } }[];
    const letters = async (): Promise<Letters> => await json('dead-letters', 'list');
    const before = await letters();
    expect(before.map(({ name, output }) => [name, output.deadLetters.length])).toEqual([
      ['eu', 1],
      ['us', 1],
    ]);
    const [id] = before[1]!.output.deadLetters.map((letter) => letter.id);
    const show = await svc('dead-letters', 'show', id!);
    expect([show.code, show.error]).toEqual([
      2,
      expect.stringContaining('show works in one database. Pass --database with one of eu, us.'),
    ]);
    expect((await svc('dead-letters', 'show', id!, '--database', 'us')).code).toBe(0);
    const replayed = await svc('dead-letters', 'replay', '--all');
    expect([replayed.code, replayed.out.match(/Database \w+/g)]).toEqual([1, ['Database eu', 'Database us']]);
    const discarded = await svc('dead-letters', 'discard', '--all', '--cause', 'Unreadable', '--reason', 'test');
    expect(discarded.code).toBe(0);
    expect((await letters()).map(({ output }) => output.deadLetters)).toEqual([[], []]);
  });

  it('queries the audit of all of them, and continues or follows that of one', async () => {
    await started();
    type Pages = {
      readonly name: Name;
      readonly output: { readonly entries: object[]; readonly next: string | null };
    }[];
    const opened = ['audit', 'query', '--type', 'bank.AccountOpened', '--limit', '1'];
    const pages = await json<Pages>(...opened);
    expect(pages).toMatchObject([
      { name: 'eu', output: { entries: [{ tenantId: 'acme', userId: 'ann' }] } },
      { name: 'us', output: { entries: [{ tenantId: 'us-corp', userId: 'bob' }], next: expect.any(String) as string } },
    ]);
    const { out } = await svc(...opened);
    expect(out).toMatch(/^Database eu\ntime .*\n.* acme .*\n(?:\n.*\n)?\nDatabase us\ntime .*\n.* us-corp /);
    const more = [...opened, '--after', pages[1]!.output.next!];
    expect(await svc(...more)).toMatchObject({
      code: 2,
      error: expect.stringContaining('query works in one database. Pass --database with one of eu, us.') as string,
    });
    const next = await json<Pages[number]['output']>(...more, '--database', 'us');
    expect(next).toMatchObject({ entries: [{ tenantId: 'us-corp' }] });
    expect(await svc('audit', 'tail')).toMatchObject({
      code: 2,
      error: expect.stringContaining('tail works in one database. Pass --database with one of eu, us.') as string,
    });
  });

  it('reports the name of a database that fails, and works in the other', async () => {
    await started();
    vi.stubEnv('DATABASES', `gone=postgres://nobody@127.0.0.1:1/gone us=${pair.where.us}`);
    const { code, out, error } = await svc('perspectives', 'list', '--json');
    expect([code, error]).toEqual([6, expect.stringMatching(/^\{"message":"Database gone: /)]);
    const answers = JSON.parse(out) as Answer[];
    expect(answers).toMatchObject([
      { name: 'gone', exitCode: 6, output: null },
      { name: 'us', exitCode: 0, output: { perspectives: [{}, {}, {}] } },
    ]);
  });
});

describe('DATABASES', () => {
  it.each([
    ['eu=a.db us', {}, 'Entry 2 of DATABASES must be <name>=<url or file>'],
    ['eu=a.db eu=b.db', {}, 'DATABASES has the name eu twice.'],
    ['eu=a.db us=b.db', { DATABASE_URL: 'postgres://127.0.0.1/orders' }, 'DATABASES and DATABASE_URL are both set.'],
  ])('%j is a usage error', async (text, others, message) => {
    vi.stubEnv('DATABASES', text);
    for (const [name, value] of Object.entries(others)) vi.stubEnv(name, value);
    const { code, error } = await svc('perspectives', 'list');
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it('has no file for a mistyped name', async () => {
    vi.stubEnv('DATABASES', 'eu=a.db us=b.db');
    const { code, error } = await svc('migrate', 'up', '--database', 'uss');
    expect([code, error]).toEqual([2, expect.stringContaining('DATABASES has no database uss. It has eu, us.')]);
  });

  it('stops at the first database if an argument is wrong', async () => {
    vi.stubEnv('DATABASES', 'eu=postgres://nobody@127.0.0.1:1/eu us=postgres://nobody@127.0.0.1:1/us');
    const { code, error } = await svc('perspectives', 'rebuild', 'A', '--mode', 'blue');
    expect([code, error.match(/--mode must be one of/g)]).toEqual([2, ['--mode must be one of']]);
  });
});
