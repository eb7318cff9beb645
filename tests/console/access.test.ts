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
  readonly right: 'read' | 'write';
  /** Sends a request, with a value for each parameter that is required. */
  send(who: string | null, values: Readonly<Record<string, string>>): Promise<Answer>;
}

/** All operations, except the description itself. */
async function operationsOf({ get, post }: Looking): Promise<readonly ListedOperation[]> {
  const { json } = await get(null, '/openapi.json');
  const paths = Object.entries(json.paths as Record<string, Record<string, Described>>);
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, description }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      right: description.includes('system:write') ? ('write' as const) : ('read' as const),
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

it('describes operations of both rights', async () => {
  const all = await operationsOf(await open());
  expect(all.length).toBeGreaterThan(10);
  expect(all.map(({ name }) => name)).toContain('GET /audit');
});

it('requires authentication for every operation', async () => {
  const looking = await open();
  const ids = await idsOf(looking, ann);
  for (const { name, send } of await operationsOf(looking)) {
    expect((await send(null, ids)).status, name).toBe(401);
  }
});

it('requires system:read to see and system:write to change, and records denials', async () => {
  const looking = await open();
  const ids = await idsOf(looking, ann);
  for (const { name, right, send } of await operationsOf(looking)) {
    expect((await send('-/eve orders:read tenants:act', ids)).status, name).toBe(403);
    if (right === 'write') expect((await send(operator, ids)).status, name).toBe(403);
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
      expect(text, name).not.toContain('globex');
      expect([200, 400, 403, 404], `${name}: ${text}`).toContain(status);
    }
  }
});

it("shows a tenant's auditor what belongs to its tenant", async () => {
  const looking = await open();
  const { stream, ...ids } = await idsOf(looking, ann);
  const byPath = new Map((await operationsOf(looking)).map((operation) => [operation.path, operation]));
  const own = ['/audit', '/audit/export', '/events/{id}', '/events/{id}/body', '/events/{id}/models', '/search'];
  for (const path of [...own, '/chains/{correlation}']) {
    expect((await byPath.get(path)!.send(auditor, ids)).status, path).toBe(200);
  }
  for (const path of ['/streams/{id}', '/streams/{id}/models', '/access/denials', '/access/roles']) {
    expect((await byPath.get(path)!.send(auditor, { id: stream! })).status, path).toBe(200);
  }
});
