/** Messages from and to other hosts. */
import type { AccessControl } from '../../access/index.js';
import type { Dispatcher, NamedReceptor } from '../../dispatch/index.js';
import { ClockLimit, CommandInbox, DeadLetters, receivedEvents, type Admission } from '../../transport/index.js';
import type { Foundation } from './foundation.js';
import { requireInbox } from './receptors.js';
import { RunningTransport } from './running-transport.js';

export function inboxOf(
  { registrations, messages, transport }: Foundation,
  dispatcher: Dispatcher,
  receptors: ReadonlyMap<unknown, NamedReceptor>,
): CommandInbox {
  const { commands } = registrations.trust;
  if (commands.size > 0) requireInbox(commands, receptors, transport);
  return new CommandInbox(messages, dispatcher);
}

export function admissionOf({ registrations, messages, publishFilter, transport, self, clock }: Foundation): Admission {
  return registrations.trust.admission({
    messages,
    filter: publishFilter,
    transport,
    self,
    receivedMs: registrations.receivedMs,
    clockLimit: new ClockLimit(registrations.mostAheadMs, () => clock.now()),
  });
}

export interface ReceivingParts {
  readonly access: AccessControl;
  readonly admission: Admission;
  readonly inbox: CommandInbox;
}

export function deadLettersOf({ log, messages }: Foundation, receiving: ReceivingParts): DeadLetters {
  return new DeadLetters({ log, messages, ...receiving });
}

export function runningTransportOf(
  { registrations, log, messages, transport, transportFilter: filter, self }: Foundation,
  { access, admission, inbox }: ReceivingParts,
): RunningTransport | null {
  if (transport === null || filter === null) return null;
  const { trust, systemEvents, report } = registrations;
  return new RunningTransport(transport, {
    log,
    messages,
    filter,
    trust,
    admission,
    toEvent: receivedEvents(access),
    self,
    systemEvents,
    inbox: trust.commands.size > 0 ? inbox : null,
    report,
  });
}
