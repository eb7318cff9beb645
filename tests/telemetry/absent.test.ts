/** Without telemetry the parts of a service are not wrapped; with it they are wrapped only by what it returns. */
import { InMemoryStorage, MutationEndpointBase, type Dispatcher } from '@svc/core';
import type { ReadyEndpoint, Telemetry } from '@svc/core/hosting';
import type { CommitRecord, PerspectiveStorage, Storage } from '@svc/core/storage';
import { InProcessTransport, type Subscription, type Transport, type TransportMessage } from '@svc/core/transport';
import { LocalDispatcher } from '@svc/core/testing';
import { describe, expect, it } from 'vitest';
import { shopEvents } from '../system-events/shop.js';
import { placeOrder, shopWithEndpoint } from './watched-shop.js';

describe('a service without telemetry', () => {
  it('returns the dispatcher and the endpoints unwrapped', () => {
    const service = shopWithEndpoint().start();
    expect(service.dispatcher).toBeInstanceOf(LocalDispatcher);
    expect(Object.getPrototypeOf(service.dispatcher)).toBe(LocalDispatcher.prototype);
    expect(service.endpoints[0]?.endpoint).toBeInstanceOf(MutationEndpointBase);
  });

  it('calls the storage and the transport directly', async () => {
    const callers: Record<string, Set<string>> = {};
    const noteCaller = (called: string): void => {
      // The lines of a stack: what it is, this function, what was called, and who called that.
      const [, , , caller = ''] = (new Error().stack ?? '').split('\n');
      (callers[called] ??= new Set()).add(/packages\/[\w./-]+\.ts/.exec(caller)?.[0] ?? caller);
    };
    class NotingStorage extends InMemoryStorage {
      override commit(record: CommitRecord): void {
        noteCaller('commit');
        super.commit(record);
      }
    }
    class NotingTransport extends InProcessTransport {
      override publish(messages: readonly TransportMessage[]): Promise<void> {
        noteCaller('publish');
        return super.publish(messages);
      }
      override subscribe(...given: Parameters<Transport['subscribe']>): Promise<Subscription> {
        noteCaller('subscribe');
        return super.subscribe(...given);
      }
    }
    const service = shopWithEndpoint(undefined, new NotingStorage())
      .useTransport(new NotingTransport())
      .acceptEvents(shopEvents)
      .start();
    await placeOrder(service);
    await service.idle();
    await service.stop();
    expect(callers).toEqual({
      commit: new Set(['packages/core/src/storage/log/event-log.ts']),
      publish: new Set(['packages/core/src/transport/transport-delivery.ts']),
      subscribe: new Set(['packages/core/src/hosting/wiring/running-transport.ts']),
    });
  });

  it('adds nothing to the metadata of messages', async () => {
    const service = shopWithEndpoint().start();
    await placeOrder(service);
    for await (const { envelope } of service.eventStore.readAll()) expect(envelope.metadata).toEqual({});
  });
});

it('calls telemetry once for each part, and uses what it returns', async () => {
  const storage = new InMemoryStorage();
  const transport = new InProcessTransport();
  const seen: Record<string, unknown[]> = {};
  const returned: Record<string, unknown> = {};
  const note = <T extends object>(name: string, part: T): T => {
    (seen[name] ??= []).push(part);
    // Another object with the same behaviour: what is used afterwards must be this one.
    const other = new Proxy(part, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    returned[name] = other;
    return other;
  };
  const telemetry: Telemetry = {
    endpoint: (inner: ReadyEndpoint) => note('endpoint', inner),
    dispatcher: (inner: Dispatcher) => note('dispatcher', inner),
    storage: (inner: Storage) => note('storage', inner),
    perspectives: (inner: PerspectiveStorage) => note('perspectives', inner),
    transport: (inner: Transport) => note('transport', inner),
  };
  const service = shopWithEndpoint(undefined, storage).useTransport(transport).useTelemetry(telemetry).start();
  expect(Object.keys(seen).toSorted()).toEqual(['dispatcher', 'endpoint', 'perspectives', 'storage', 'transport']);
  for (const parts of Object.values(seen)) expect(parts).toHaveLength(1);
  expect(seen['storage']?.[0]).toBe(storage);
  expect(seen['transport']?.[0]).toBe(transport);
  expect(seen['dispatcher']?.[0]).toBeInstanceOf(LocalDispatcher);
  expect(service.dispatcher).toBe(returned['dispatcher']);
  expect(service.endpoints[0]).toBe(returned['endpoint']);
  await placeOrder(service);
  await service.idle();
  await service.stop();
});

it('uses a part unwrapped when telemetry returns nothing for it', () => {
  const service = shopWithEndpoint().useTelemetry({}).start();
  expect(service.dispatcher).toBeInstanceOf(LocalDispatcher);
  expect(service.endpoints[0]?.endpoint).toBeInstanceOf(MutationEndpointBase);
});
