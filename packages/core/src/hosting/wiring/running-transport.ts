import { ServiceError } from '../../errors/index.js';
import { type BackgroundWorker } from '../../background/index.js';
import { subscriptionsCheck, type HealthCheck } from '../../health/index.js';
import type { MessageRegistry, TransportPublishFilter } from '../../messages/index.js';
import type { EventLog } from '../../storage/index.js';
import type { SystemEventOptions } from '../../system-events/index.js';
import {
  ClosedDestinations,
  deadLettering,
  interestsOf,
  storingDeadLetters,
  receiving,
  receivingCommands,
  RejectedLetters,
  RejectionTally,
  reportingFailures,
  transportDelivery,
  transportWorker,
  type Admission,
  type CommandInbox,
  type Interest,
  type ReceiveCommand,
  type ReceiveMessages,
  type Subscription,
  type ToReceivedEvent,
  type Transport,
} from '../../transport/index.js';
import type { Trust } from './trust.js';

/** How long a stopping service waits for a broker to confirm messages. */
const publishingEndsMs = 3_000;

export interface TransportSurroundings {
  readonly log: EventLog;
  readonly messages: MessageRegistry;
  readonly filter: TransportPublishFilter;
  readonly trust: Trust;
  readonly admission: Admission;
  /** Converts received messages to events of this host. */
  readonly toEvent: ToReceivedEvent;
  /** The name of this host in messages. */
  readonly self: string;
  /** Null: no system event for dead letters. */
  readonly systemEvents: SystemEventOptions | null;
  /** Null: no commands are accepted from other hosts. */
  readonly inbox: CommandInbox | null;
  readonly report: (error: unknown, part: 'outbox.transport' | 'receive' | 'inbox') => void;
}

/** The transport of a running service: publishes and receives messages. */
export class RunningTransport {
  /** Publishes the messages of the outbox. */
  readonly worker: BackgroundWorker;
  readonly #transport: Transport;
  readonly #interests: readonly Interest[];
  readonly #receiver: () => ReceiveMessages;
  readonly #commandReceiver: ReceiveCommand | null;
  readonly #subscriptions: Subscription[] = [];
  readonly #rejected: RejectedLetters;
  #isEnding = false;
  /** Checks whether messages are received. */
  readonly subscriptionsCheck: HealthCheck;

  constructor(transport: Transport, surroundings: TransportSurroundings) {
    const { log, messages, filter, trust, admission, toEvent, self, systemEvents, inbox, report } = surroundings;
    const reportReceived = (error: unknown): void => report(error, 'receive');
    const toDeadLetters = deadLettering(messages, systemEvents);
    const isDeclared = (hostName: string): boolean => trust.names(hostName);
    const tally = new RejectionTally({ log, messages, options: systemEvents, isDeclared, report: reportReceived });
    const rejected = new RejectedLetters(log, tally);
    this.#rejected = rejected;
    this.#transport = transport;
    this.#interests = interestsOf(messages, filter, (namespace) => trust.acceptsNamespace(namespace));
    this.#receiver = () =>
      reportingFailures(
        storingDeadLetters(receiving(log, messages, admission, toEvent), log, toDeadLetters, rejected),
        reportReceived,
      );
    const reportCommand = (error: unknown): void => report(error, 'inbox');
    this.#commandReceiver =
      inbox === null
        ? null
        : receivingCommands({ inbox, admission, log, toDeadLetters, rejected, report: reportCommand });
    this.subscriptionsCheck = subscriptionsCheck({
      wanted: this.#interests.length + (inbox === null ? 0 : 1),
      opened: () => this.#subscriptions,
      // Shows operators when accepting unproven hosts is no longer needed.
      data: () => (trust.acceptsUnproven ? { unproven: admission.unprovenCount } : {}),
    });
    const reportOutbox = (error: unknown): void => report(error, 'outbox.transport');
    const closed = new ClosedDestinations(reportOutbox);
    const delivery = transportDelivery({ log, transport, origin: self, toDeadLetters, closed });
    this.worker = transportWorker(log, delivery, closed, reportOutbox);
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
    await this.#rejected.close();
  }

  /** Waits briefly for messages that are being published. Closing the transport ends the rest. */
  async close(): Promise<void> {
    const stopped = this.worker.stop();
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
