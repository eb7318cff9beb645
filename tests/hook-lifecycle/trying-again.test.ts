/** Endpoints that retry by themselves, for a request with an idempotency key. */
import {
  commandEndpoint,
  ConcurrencyConflictError,
  createService,
  InMemoryStorage,
  MutationEndpointBase,
  newId,
  type Command,
  type MessageClass,
  type ReceptorContext,
  type Service,
  type ServiceRegistry,
} from '@svc/core';
import { CommandRequest } from '@svc/core/hosting';
import { StorageUnavailableError, type CommitRecord } from '@svc/core/storage';
import {
  collect,
  commitRecord,
  pendingRecord,
  type HostParts,
  type IdempotentAnswer,
  type MessageDescriptor,
  type MessageKind,
} from '@svc/core/testing';
import { expect, it } from 'vitest';

@commandEndpoint<Deposit, number>({ restRoute: '/deposits' })
class Deposit implements Command {}
class Deposited {}

class PersistentEndpoint extends MutationEndpointBase<Deposit, number> {
  protected override async dispatchCommand(command: Deposit, signal: AbortSignal): Promise<number> {
    try {
      return await super.dispatchCommand(command, signal);
    } catch {
      return await super.dispatchCommand(command, signal);
    }
  }
}

/** Runs a function of the test before a commit. */
class TroubledStorage extends InMemoryStorage {
  readonly befalls: ((record: CommitRecord) => void)[] = [];

  override commit(record: CommitRecord): void {
    this.befalls.shift()?.(record);
    super.commit(record);
  }

  store(record: CommitRecord): void {
    super.commit(record);
  }
}

const message = (type: string, kind: MessageKind, messageClass: MessageClass): MessageDescriptor => ({
  type,
  kind,
  class: messageClass,
  read: () => new messageClass(),
  write: () => '{}',
});

function till(storage: InMemoryStorage): { service: Service; send: () => Promise<IdempotentAnswer> } {
  let runs = 0;
  const receive = (_command: Deposit, context: ReceptorContext): number => {
    context.append(newId(), new Deposited());
    return ++runs;
  };
  const registry: ServiceRegistry<object> = {
    messages: [message('till.Deposit', 'command', Deposit), message('till.Deposited', 'event', Deposited)],
    receptors: [{ name: 'DepositReceptor', command: Deposit, create: () => ({ receive }) }],
    endpoints: [
      {
        name: 'DepositEndpoint',
        command: Deposit,
        restRoute: '/deposits',
        graphQLMutation: null,
        readRequest: () => new Deposit(),
        writeResult: (value: number) => JSON.stringify(value),
        create: (host: HostParts) => new PersistentEndpoint(host.dispatcher),
      },
    ],
    openapi: { paths: {}, components: { schemas: {} } },
  };
  const service = createService(registry).useStorage(storage).start();
  const request = { key: 'k', message: new Deposit(), sent: {} };
  const send = (): Promise<IdempotentAnswer> =>
    service.idempotentRequests.handle(service.endpoints[0]!, request, new CommandRequest());
  return { service, send };
}

it('stores the result of a retry under the key if the first attempt was rejected', async () => {
  const storage = new TroubledStorage();
  const { service, send } = till(storage);
  storage.befalls.push(() => {
    throw new ConcurrencyConflictError(newId(), 0, 1);
  });
  expect(await send()).toEqual({ text: '2', isReplayed: false });
  expect(await send()).toEqual({ text: '2', isReplayed: true });
  expect(await collect(storage.readAll())).toHaveLength(1);
  await service.stop();
});

it('commits nothing of a retry if the first attempt was committed and its response got lost, and returns the first result', async () => {
  const storage = new TroubledStorage();
  const { service, send } = till(storage);
  storage.befalls.push((record) => {
    storage.store(record);
    throw new StorageUnavailableError('unknown', new Error('lost'));
  });
  expect(await send()).toEqual({ text: '1', isReplayed: true });
  expect(await send()).toEqual({ text: '1', isReplayed: true });
  expect(await collect(storage.readAll())).toHaveLength(1);
  await service.stop();
});

it('commits nothing of a retry if another host has committed the request', async () => {
  const storage = new TroubledStorage();
  const { service, send } = till(storage);
  storage.befalls.push(({ idempotency }) => {
    const theirs = { ...idempotency!, messageId: newId(), result: '7' };
    storage.store(commitRecord({ events: [pendingRecord(newId())], idempotency: theirs }));
  });
  expect(await send()).toEqual({ text: '7', isReplayed: true });
  expect(await collect(storage.readAll())).toHaveLength(1);
  await service.stop();
});
