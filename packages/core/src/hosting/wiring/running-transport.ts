import { ServiceError } from '../../errors/index.js';
import { subscriptionsCheck, type HealthCheck } from '../../health/index.js';
import {
  interestsOf,
  receivingByTenant,
  receivingCommandsByTenant,
  reportingFailures,
  type Admission,
  type Interest,
  type ReceiveCommand,
  type ReceiveMessages,
  type Subscription,
  type Transport,
} from '../../transport/index.js';
import type { DatabaseRouter } from '../databases/database-router.js';
import { databaseOfMessage } from '../databases/placing.js';
import type { DatabaseMessages } from './database-messages.js';
import type { Foundation, ServiceFoundation } from './foundation.js';

/** How long a stopping service waits for a broker to confirm messages. */
const publishingEndsMs = 3_000;

/** The databases whose messages a transport carries. */
export interface TransportDatabases {
  readonly all: readonly DatabaseMessages[];
  /** The database that receives the messages of a tenant, '' for none. */
  readonly of: (tenant: string) => DatabaseMessages;
}

/** The transport of a service and its databases; null: the service has none. */
export function runningTransportOf(
  foundation: ServiceFoundation,
  admission: Admission,
  router: DatabaseRouter<Foundation>,
  databases: ReadonlyMap<Foundation, { readonly messages: DatabaseMessages | null }>,
): RunningTransport | null {
  const { transport } = foundation;
  if (transport === null) return null;
  return new RunningTransport(transport, foundation, admission, {
    all: [...databases.values()].flatMap(({ messages }) => messages ?? []),
    of: (tenant) => databases.get(databaseOfMessage(router, tenant))!.messages!,
  });
}

/** The transport of a running service: subscribes, and passes what arrives to the databases. */
export class RunningTransport {
  readonly #transport: Transport;
  readonly #databases: TransportDatabases;
  readonly #interests: readonly Interest[];
  readonly #receiver: () => ReceiveMessages;
  readonly #commandReceiver: ReceiveCommand | null;
  readonly #subscriptions: Subscription[] = [];
  #isEnding = false;
  /** Checks whether messages are received. */
  readonly subscriptionsCheck: HealthCheck;

  constructor(
    transport: Transport,
    { messages, publishFilter, registrations: { trust }, reportOf }: ServiceFoundation,
    admission: Admission,
    databases: TransportDatabases,
  ) {
    this.#transport = transport;
    this.#databases = databases;
    this.#interests = interestsOf(messages, publishFilter, (namespace) => trust.acceptsNamespace(namespace));
    this.#receiver = () => reportingFailures(receiverOf(databases), reportOf('receive'));
    this.#commandReceiver = trust.commands.size > 0 ? commandReceiverOf(databases) : null;
    this.subscriptionsCheck = subscriptionsCheck({
      wanted: this.#interests.length + (this.#commandReceiver === null ? 0 : 1),
      opened: () => this.#subscriptions,
      // Shows operators when accepting unproven hosts is no longer needed.
      data: () => (trust.acceptsUnproven ? { unproven: admission.unprovenCount } : {}),
    });
  }

  async subscribe(): Promise<void> {
    for (const interest of this.#interests) {
      await this.#opened(await this.#transport.subscribe(interest, this.#receiver()));
    }
    if (this.#commandReceiver === null) return;
    await this.#opened(await this.#transport.openInbox!(this.#commandReceiver));
  }

  /** Closes a subscription that opens while the service stops, because nothing else would. */
  async #opened(subscription: Subscription): Promise<void> {
    this.#subscriptions.push(subscription);
    if (!this.#isEnding) return;
    await subscription.close();
    throw new ServiceError('SVC_SERVICE_STOPPING', 'The service is stopping. It subscribes at its next start.');
  }

  /** Resolves when no more messages arrive. Does not wait for pending subscriptions: closing the transport ends them. */
  async unsubscribe(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#subscriptions.map((subscription) => subscription.close()));
    await Promise.all(this.#databases.all.map((database) => database.endReceiving()));
  }

  /** Waits briefly for messages that are being published. Closing the transport ends the rest. */
  async close(): Promise<void> {
    const stopped = Promise.all(this.#databases.all.map(({ worker }) => worker.stop()));
    if (this.#transport.close !== undefined) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, publishingEndsMs);
      });
      await Promise.race([stopped, late]);
      clearTimeout(timer);
      await this.#transport.close();
    }
    await stopped;
  }
}

/** The receiver of one subscription. */
function receiverOf({ all, of }: TransportDatabases): ReceiveMessages {
  if (all.length === 1) return all[0]!.receiver();
  const receivers = new Map(all.map((database) => [database, database.receiver()]));
  return receivingByTenant((tenant) => receivers.get(of(tenant))!);
}

function commandReceiverOf({ all, of }: TransportDatabases): ReceiveCommand {
  return all.length === 1 ? all[0]!.receiveCommand : receivingCommandsByTenant((tenant) => of(tenant).receiveCommand);
}
