import type { BackgroundWorker } from '../../background/index.js';
import {
  ClosedDestinations,
  deadLettering,
  receivedEvents,
  receiving,
  receivingCommands,
  RejectedLetters,
  RejectionTally,
  storingDeadLetters,
  transportDelivery,
  transportWorker,
  type Admission,
  type CommandInbox,
  type PlaceTenant,
  type ReceiveCommand,
  type ReceiveMessages,
  type Transport,
} from '../../transport/index.js';
import type { Foundation } from './foundation.js';
import { prepareEventsOf } from './personal-data.js';

/** What the service decides about messages from other hosts. */
export interface ReceivingParts {
  /** Whether an existing stream must belong to the tenant of a received event. */
  readonly marksTenants: boolean;
  readonly admission: Admission;
  readonly inbox: CommandInbox;
  readonly place: PlaceTenant;
}

/** The messages between one database and other hosts: publishes its outbox, and stores what is received for its tenants. */
export class DatabaseMessages {
  /** Publishes the messages of the outbox. */
  readonly worker: BackgroundWorker;
  /** Creates the receiver of one subscription. */
  readonly receiver: () => ReceiveMessages;
  readonly receiveCommand: ReceiveCommand;
  readonly #rejected: RejectedLetters;

  constructor(transport: Transport, foundation: Foundation, { marksTenants, admission, inbox, place }: ReceivingParts) {
    const { log, messages, personal, self, registrations, reportOf } = foundation;
    const { trust, systemEvents } = registrations;
    const toDeadLetters = deadLettering(messages, systemEvents);
    const isDeclared = (hostName: string): boolean => trust.names(hostName);
    const tally = new RejectionTally({ log, messages, options: systemEvents, isDeclared, report: reportOf('receive') });
    const rejected = new RejectedLetters(log, messages, tally);
    const toEvent = receivedEvents({ marksTenants });
    const prepare = prepareEventsOf(personal);
    this.#rejected = rejected;
    this.receiver = () =>
      storingDeadLetters(
        receiving(log, messages, admission, toEvent, { place, prepare }),
        log,
        toDeadLetters,
        rejected,
      );
    this.receiveCommand = receivingCommands({
      inbox,
      admission,
      place,
      log,
      toDeadLetters,
      rejected,
      report: reportOf('inbox'),
    });
    const closed = new ClosedDestinations(reportOf('outbox.transport'));
    const delivery = transportDelivery({ log, transport, origin: self, toDeadLetters, closed });
    this.worker = transportWorker(log, delivery, closed, reportOf('outbox.transport'));
  }

  /** Emits the counts of rejected messages that are not emitted yet. No more messages may arrive. */
  endReceiving(): Promise<void> {
    return this.#rejected.close();
  }
}
