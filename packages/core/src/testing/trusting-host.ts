/** A host that accepts messages of `sender`, and that sender, for the cases of trust. */
import { createService, type Service, type ServiceRegistry } from '../hosting/index.js';
import {
  inboxOf,
  messageOf,
  newId,
  type EnvelopeScope,
  type MessageClass,
  type MessageDescriptor,
  type MessageEnvelope,
  type MessageKind,
} from '../messages/index.js';
import { around, InMemoryStorage, type DeadLetterRecord } from '../storage/index.js';
import {
  signingKey,
  signingTransport,
  type PublishedMessage,
  type SharedKey,
  type Transport,
  type TransportMessage,
} from '../transport/index.js';
import { collect } from './records.js';
import type { TransportBroker } from './transport-case.js';
import { aWhile, eventually, transportMessage } from './transport-messages.js';

class Happened {
  what = '';
}
class HappenedAgain {}
class Last {}
class HappenedElsewhere {}
class Do {}

const described = (type: string, kind: MessageKind, made: MessageClass): MessageDescriptor => ({
  type,
  kind,
  class: made,
  read: (value) => Object.assign(new made(), value),
  write: JSON.stringify,
});

const events = [
  described('test.Happened', 'event', Happened),
  described('test.HappenedAgain', 'event', HappenedAgain),
  described('test.Last', 'event', Last),
  described('other.Happened', 'event', HappenedElsewhere),
];

/** A key of the sender, the same for every case. */
export function keyOf(id: string): SharedKey {
  return { id, secret: `the secret of the contract, ${id.padEnd(32, '.')}` };
}

/** Records what is published over a transport, as it is signed. */
export function capturing(inner: Transport): { transport: Transport; published: readonly PublishedMessage[] } {
  const published: PublishedMessage[] = [];
  const transport = around(inner, {
    publish(messages) {
      published.push(...messages);
      return inner.publish(messages);
    },
    close: () => Promise.resolve(),
  });
  return { transport, published };
}

/** A command to a host, with defaults for the fields that a case omits. */
export function commandMessage(hostName: string, fields: Partial<TransportMessage> = {}): TransportMessage {
  const message = transportMessage({ type: 'test.Do', destination: inboxOf(hostName), body: '{}', ...fields });
  return { ...message, streamId: message.id };
}

export class TrustingHost {
  readonly service: Service;
  /** The commands that ran, with their scope. */
  readonly ran: { readonly id: string; readonly scope: EnvelopeScope | null }[];
  readonly #sender: Transport;

  private constructor(service: Service, ran: TrustingHost['ran'], sender: Transport) {
    this.service = service;
    this.ran = ran;
    this.#sender = sender;
  }

  /** `signs`: the sender must sign, even if the transport proves its name. */
  static async start(broker: TransportBroker, { signs = false } = {}): Promise<TrustingHost> {
    const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
    const ran: TrustingHost['ran'] = [];
    const registry: ServiceRegistry<object> = {
      messages: [...events, described('test.Do', 'command', Do)],
      receptors: [
        {
          name: 'DoReceptor',
          command: Do,
          create: () => ({
            receive: (_command: Do, { envelope }: { envelope: MessageEnvelope }) =>
              void ran.push({ id: envelope.id, scope: envelope.scope }),
          }),
        },
      ],
      endpoints: [],
      openapi: { paths: {}, components: { schemas: {} } },
    };
    const service = createService(registry)
      .useStorage(new InMemoryStorage())
      .useTransport(receiver)
      .acceptEvents({ from: 'sender', namespaces: ['test'] })
      .acceptCommands({ from: 'sender', commands: [Do] })
      .reportTo(() => {});
    const needsKeys = signs || receiver.canProve?.('sender') !== true;
    if (needsKeys) service.verifyMessages({ from: 'sender', keys: [keyOf('old'), keyOf('new')] });
    await service.start().ready();
    return new TrustingHost(service, ran, needsKeys ? signedBy(sender) : sender);
  }

  /** A service that appends events, and signs them. */
  static async sender(transport: Transport, key: SharedKey) {
    const service = createService({
      messages: events,
      receptors: [],
      endpoints: [],
      openapi: { paths: {}, components: { schemas: {} } },
    })
      .useStorage(new InMemoryStorage())
      .useTransport(transport)
      .signMessages(key)
      .reportTo(() => {})
      .start();
    await service.ready();
    return {
      append: async (type: string): Promise<void> => {
        const id = newId();
        const payload = messageOf(Happened, { what: 'happened' });
        const metadata = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', list: [1, 'ß'] };
        const scope = { tenantId: 'acme', userId: null };
        const times = { timestamp: new Date(), correlationId: id, causationId: null };
        await service.eventStore.append(newId(), { id, type, payload, streamId: null, ...times, scope, metadata });
        await service.idle();
      },
      stop: () => service.stop(),
    };
  }

  send(messages: readonly TransportMessage[]): Promise<void> {
    return this.#sender.publish(messages);
  }

  /** Sends a last event. When it is stored, everything sent before it has been delivered. */
  async sendLast(): Promise<void> {
    await this.send([transportMessage({ type: 'test.Last' })]);
    await eventually(async () => (await this.storedTypes()).includes('test.Last'), 'the last event');
    await aWhile();
  }

  async stored(): Promise<readonly MessageEnvelope[]> {
    return (await collect(this.service.eventStore.readAll())).map(({ envelope }) => envelope);
  }

  async storedTypes(): Promise<readonly string[]> {
    return (await this.stored()).map(({ type }) => type);
  }

  letters(): Promise<readonly DeadLetterRecord[]> {
    return this.service.deadLetters.list();
  }

  async causes(): Promise<readonly string[]> {
    return (await this.letters()).map(({ cause }) => cause).toSorted();
  }

  stop(): Promise<void> {
    return this.service.stop();
  }
}

/** A transport of the sender that signs its messages, for a broker that does not prove its name. */
function signedBy(inner: Transport): Transport {
  return signingTransport(inner, signingKey(keyOf('new')));
}
