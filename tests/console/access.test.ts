/** The rights of every operation of the console's API, as its description lists them. */
import { AccessDenied, InMemoryStorage, type Uuid } from '@svc/core';
import { expect, it } from 'vitest';
import { records } from '../system-events/shop.js';
import { ann, auditor, bob, openLooking, operator, type Answer, type Looking } from './looking.js';

interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly description: string;
}

interface ListedOperation {
  readonly name: string;
  readonly path: string;
  /** Null: it needs no credential. */
  readonly right: 'read' | 'write' | null;
  /** Sends a request, with a value for each parameter that is required. */
  send(who: string | null, values: Readonly<Record<string, string>>): Promise<Answer>;
}

/** The operations that need a permission. */
async function operationsOf(looking: Looking): Promise<readonly ListedOperation[]> {
  return (await allOperations(looking)).filter(({ right }) => right !== null);
}

async function allOperations({ get, post }: Looking): Promise<readonly ListedOperation[]> {
  const { json } = await get(null, '/openapi.json');
  const paths = Object.entries(json.paths as Record<string, Record<string, Described>>);
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, description }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      right: (['write', 'read'] as const).find((right) => description.includes(`system:${right}`)) ?? null,
      send: async (who, values) => {
        const valueOf = (name: string): string => encodeURIComponent(values[name] ?? 'any');
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
        const query = parameters.filter((one) => one.in === 'query' && one.required).map(({ name }) => name);
        const url = `${filled}?${query.map((name) => `${name}=${valueOf(name)}`).join('&')}`;
        return method === 'get' ? await get(who, url) : await post(who, url, { reason: 'a test' });
      },
    })),
  );
}

const open = (): Promise<Looking> => openLooking(new InMemoryStorage());

/** The ids that a note has created. */
async function idsOf({ get, note }: Looking, who: string): Promise<Readonly<Record<string, Uuid>>> {
  const stream = await note(who, `a note of ${who}`);
  const [event] = (await get(operator, `/streams/${stream}`)).json.events;
  return { id: event.id, correlation: event.correlationId, stream };
}

it('has one operation without a right: how callers sign in', async () => {
  const looking = await open();
  const all = await allOperations(looking);
  expect(all.filter(({ right }) => right === null).map(({ name }) => name)).toEqual(['GET /sign-in']);
  expect(new Set(all.map(({ right }) => right))).toEqual(new Set([null, 'read', 'write']));
});

it('requires authentication for every other operation', async () => {
  const looking = await open();
  const ids = await idsOf(looking, ann);
  for (const { name, send } of await operationsOf(looking)) {
    expect([name, (await send(null, ids)).status]).toEqual([name, 401]);
  }
});

it('requires system:read to see and system:write to change, and records denials', async () => {
  const looking = await open();
  const ids = await idsOf(looking, ann);
  for (const { name, right, send } of await operationsOf(looking)) {
    expect([name, (await send('-/eve orders:read tenants:act', ids)).status]).toEqual([name, 403]);
    if (right === 'write') expect([name, (await send(operator, ids)).status]).toEqual([name, 403]);
  }
  const denied = await records(looking.service, AccessDenied);
  expect(denied.some(({ resourceType }) => resourceType === 'console')).toBe(true);
});

it("shows a tenant's auditor nothing of other tenants", async () => {
  const looking = await open();
  const { stream, ...ids } = await idsOf(looking, bob);
  for (const { name, right, send } of await operationsOf(looking)) {
    if (right === 'write') continue;
    for (const id of [ids['id']!, stream!, 'bob']) {
      const { status, text } = await send(auditor, { ...ids, id });
      expect(`${name}: ${text}`).not.toContain('globex');
      expect([200, 400, 403, 404]).toContain(status);
    }
  }
});

it("shows a tenant's auditor what belongs to its tenant", async () => {
  const looking = await open();
  const { stream, ...ids } = await idsOf(looking, ann);
  const byPath = new Map((await operationsOf(looking)).map((operation) => [operation.path, operation]));
  const own = ['/audit', '/audit/export', '/events/{id}', '/events/{id}/body', '/events/{id}/models', '/search'];
  for (const path of [...own, '/chains/{correlation}']) {
    expect([path, (await byPath.get(path)!.send(auditor, ids)).status]).toEqual([path, 200]);
  }
  for (const path of ['/streams/{id}', '/streams/{id}/models', '/access/denials', '/access/roles']) {
    expect([path, (await byPath.get(path)!.send(auditor, { id: stream! })).status]).toEqual([path, 200]);
  }
});
