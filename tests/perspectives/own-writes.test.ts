/** Whoever has done something reads it, and waits for it where that is needed. */
import {
  createService,
  EventNotProcessedError,
  InMemoryStorage,
  newId,
  perspective,
  RestMutationEndpointBase,
  type Perspective,
  type Service,
  type ServiceRegistry,
  type Uuid,
} from '@svc/core';
import { type PerspectiveCommit } from '@svc/core/storage';
import { InMemoryPerspectives } from '@svc/core/testing';
import { svc } from '@svc/fastify';
import { graphQL } from '@svc/graphql';
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OrderPlaced, PlaceOrder, shopRegistry } from '../system-events/shop.js';
import { append, described, OrderTrace, shopWith, traces } from './perspective-shop.js';
import { describeStores } from './storages.js';

interface Note {
  note: string;
}

@perspective({ route: '/notes', graphQLQuery: 'note', graphQLListQuery: 'notes' })
class NotePerspective implements Perspective<Note, OrderPlaced> {
  apply(_model: Note | null, { note }: OrderPlaced): Note {
    return { note };
  }
}

/** Keeps nothing of a perspective until it is let. */
class HeldPerspectives extends InMemoryPerspectives {
  release = (): void => {};
  readonly #released = new Promise<void>((resolve) => (this.release = resolve));

  // oxlint-disable-next-line typescript/no-misused-promises -- storages may answer later
  override async commitPerspective(commit: PerspectiveCommit): Promise<void> {
    await this.#released;
    super.commitPerspective(commit);
  }
}

class HeldStorage extends InMemoryStorage {
  override readonly perspectives = new HeldPerspectives();
}

class PlainEndpoint extends RestMutationEndpointBase<PlaceOrder, unknown> {
  readonly restRoute = '/PlainEndpoint';
}

class PassingOn extends RestMutationEndpointBase<PlaceOrder, unknown> {
  readonly restRoute = '/PassingOn';

  protected override async dispatchCommand(command: PlaceOrder, signal: AbortSignal): Promise<unknown> {
    return await this.dispatcher.invoke(command, { signal });
  }
}

class KeepingToItself extends RestMutationEndpointBase<PlaceOrder, unknown> {
  readonly restRoute = '/KeepingToItself';

  protected override async dispatchCommand(command: PlaceOrder): Promise<unknown> {
    return await this.dispatcher.invoke(command);
  }
}

const sdl = `
  type Query { note(id: ID!, afterEvent: ID, waitSeconds: Int = 5): Note
    notes(page: Int, pageSize: Int = 10, afterEvent: ID, waitSeconds: Int = 5): NotePage }
  type Note { note: String! }
  type NotePage { items: [Note!]! pageSize: Int! hasMore: Boolean! }
`;

function registry(): ServiceRegistry<object> {
  const endpoints = [PlainEndpoint, PassingOn, KeepingToItself].map((endpoint) => ({
    name: endpoint.name,
    command: PlaceOrder,
    restRoute: `/${endpoint.name}`,
    graphQLMutation: null,
    readRequest: (value: unknown) => Object.assign(new PlaceOrder(), value),
    writeResult: JSON.stringify,
    create: ({ dispatcher }: { dispatcher: Service['dispatcher'] }) => new endpoint(dispatcher),
  }));
  return {
    ...shopRegistry(),
    endpoints,
    perspectives: [described(NotePerspective, [OrderPlaced])],
    graphql: { sdl, inputs: {}, fields: {}, unions: {} },
  };
}

interface Served {
  readonly app: FastifyInstance;
  readonly service: Service;
  readonly release: () => void;
  get(url: string, prefer?: string): Promise<LightMyRequestResponse>;
  post(orderId: Uuid, route?: string): Promise<string | undefined>;
}

async function served(): Promise<Served> {
  const storage = new HeldStorage();
  const service = createService(registry()).useStorage(storage).addServicePerspectives();
  const app = Fastify();
  await app.register(svc(service, { graphql: graphQL() }));
  const release = (): void => storage.perspectives.release();
  onTestFinished(async () => {
    release();
    await app.close();
    await service.stop();
  });
  return {
    app,
    service,
    release,
    get: (url, prefer) => app.inject({ url, headers: prefer === undefined ? {} : { prefer } }),
    async post(orderId, route = '/PlainEndpoint') {
      const answer = await app.inject({ method: 'POST', url: route, payload: { orderId, note: 'mine' } });
      expect(answer.statusCode).toBe(200);
      return answer.headers['svc-last-event'] as string | undefined;
    },
  };
}

describe('a caller that names the last event of its command', () => {
  it.each([
    ['one model', (id: Uuid) => `/notes/${id}?`, { note: 'mine' }],
    ['a list', () => '/notes?pageSize=3&', { items: [{ note: 'mine' }] }],
  ])('receives %s with the effects of the event, however slow the perspective is', async (_what, urlOf, expected) => {
    const { get, post, release } = await served();
    const id = newId();
    const event = await post(id);
    // Without it they would be told what is there.
    expect((await get(urlOf(id).replace(/[?&]$/, ''))).body).not.toContain('mine');
    const answer = get(`${urlOf(id)}afterEvent=${event}`, 'respond-async, Wait = "9" ; x=1');
    setTimeout(release, 50);
    const { statusCode, headers, json } = await answer;
    expect([statusCode, headers['preference-applied']]).toEqual([200, 'wait=9']);
    expect(json()).toMatchObject(expected);
  });

  it('receives an error with a time to retry when the event is not processed within the timeout', async () => {
    const { get, post, release, service } = await served();
    const event = await post(newId());
    const started = performance.now();
    const answer = await get(`/notes?afterEvent=${event}`, 'wait=1');
    expect(performance.now() - started).toBeGreaterThan(950);
    expect([answer.statusCode, answer.headers['preference-applied'], answer.headers['retry-after']]).toEqual([
      503,
      'wait=1',
      '2',
    ]);
    expect(answer.json()).toMatchObject({
      type: 'urn:svc:problem:event-not-taken',
      detail:
        'NotePerspective did not process the event within 1 s. Repeat the request, or wait longer (at most 30 s).',
    });
    release();
    await service.idle();
    const again = await get(`/notes?afterEvent=${event!.toUpperCase()}`);
    expect([again.statusCode, again.headers['preference-applied']]).toEqual([200, undefined]);
  });

  it('waits for at most 30 seconds, and not at all if it requests that', async () => {
    const { get, post, release } = await served();
    const event = await post(newId());
    expect((await get(`/notes?afterEvent=${event}`, 'wait=0')).statusCode).toBe(503);
    const long = get(`/notes?afterEvent=${event}`, 'wait=999999999');
    setTimeout(release, 20);
    expect((await long).headers['preference-applied']).toBe('wait=30');
  });

  it('waits for the default time when its preferences exceed 1 KiB, because they are ignored', async () => {
    const { get, post, release } = await served();
    const event = await post(newId());
    const ignored = get(`/notes?afterEvent=${event}`, `wait=9, ${'x'.repeat(1_024)}`);
    setTimeout(release, 20);
    const { statusCode, headers } = await ignored;
    expect([statusCode, headers['preference-applied']]).toEqual([200, undefined]);
  });

  it.each([`afterEvent=${newId()}`, 'afterEvent=x', 'afterEvent=', `afterEvent=${newId()}&afterEvent=${newId()}`])(
    'is rejected when there is no such event: %s',
    async (query) => {
      const { get } = await served();
      for (const url of [`/notes?${query}`, `/notes/x?${query}`]) {
        const answer = await get(url);
        expect(answer.statusCode).toBe(400);
        expect(answer.json<{ errors: { pointer: string }[] }>().errors.map(({ pointer }) => pointer)).toEqual([
          '/afterEvent',
        ]);
      }
    },
  );

  it('can wait over GraphQL', async () => {
    const { app, post, release } = await served();
    const ask = async (query: string): Promise<unknown> =>
      (await app.inject({ method: 'POST', url: '/graphql', payload: { query } })).json();
    const id = newId();
    const event = await post(id);
    const one = (more: string): string => `{ note(id: "${id}", afterEvent: ${more}) { note } }`;
    expect(await ask(one(`"${event}", waitSeconds: 0`))).toMatchObject({
      errors: [{ extensions: { code: 'EVENT_NOT_TAKEN' } }],
    });
    expect(await ask(one('"x"'))).toMatchObject({ errors: [{ extensions: { code: 'INVALID_REQUEST' } }] });
    const answers = Promise.all([ask(one(`"${event}"`)), ask(`{ notes(afterEvent: "${event}") { items { note } } }`)]);
    setTimeout(release, 20);
    expect(await answers).toEqual([
      { data: { note: { note: 'mine' } } },
      { data: { notes: { items: [{ note: 'mine' }] } } },
    ]);
  });

  it('receives the id from endpoints that dispatch by themselves and pass on their signal', async () => {
    const { post } = await served();
    expect(await post(newId(), '/PassingOn')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await post(newId(), '/KeepingToItself')).toBeUndefined();
  });
});

describe('a lens', () => {
  it('stops waiting when its signal aborts, and when the service stops', async () => {
    const { service } = await served();
    const id = await append(service, newId(), 'x');
    const lens = service.lens(NotePerspective);
    const controller = new AbortController();
    const given = lens.waitFor(id, { signal: controller.signal });
    const waiting = lens.waitFor(id, { timeoutMs: 20_000 });
    controller.abort(new RangeError('enough'));
    await expect(given).rejects.toThrow('enough');
    const failure = waiting.catch((error: unknown) => error);
    void service.stop();
    expect(await failure).toBeInstanceOf(EventNotProcessedError);
    await expect(lens.waitFor(id)).rejects.toThrow('before the service stopped');
  });
});

describeStores((stores, name) => {
  it.skipIf(name === 'memory')('waits for events that another host processes or appends', async () => {
    const open = await stores.fresh();
    const [one, other] = [shopWith(traces, open()).start(), shopWith(traces, open()).start()];
    await Promise.all([one.ready(), other.ready()]);
    const streamId = newId();
    for (const [writer, reader] of [
      [one, other],
      [other, one],
    ] as const) {
      const id = await append(writer, streamId, 'x');
      for (const host of [writer, reader]) {
        await host.lens(OrderTrace).waitFor(id);
        expect((await host.lens(OrderTrace).find(streamId))?.ids.at(-1)).toBe(id);
      }
    }
  });
});
