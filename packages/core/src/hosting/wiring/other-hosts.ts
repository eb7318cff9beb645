/** Messages from and to other hosts. */
import type { Dispatcher, NamedReceptor } from '../../dispatch/index.js';
import { ClockLimit, CommandInbox, type Admission, type OpenCommand } from '../../transport/index.js';
import type { Foundation, ServiceFoundation } from './foundation.js';
import { requireInbox } from './receptors.js';

export function inboxOf(
  { registrations, messages, transport }: ServiceFoundation,
  dispatcher: Dispatcher,
  receptors: ReadonlyMap<unknown, NamedReceptor>,
  open: OpenCommand,
): CommandInbox {
  const { commands } = registrations.trust;
  if (commands.size > 0) requireInbox(commands, receptors, transport, messages);
  return new CommandInbox(messages, dispatcher, open);
}

/** The check for received messages, by the clock of the default database. */
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
