/** What the double needs of rhea that its declarations do not show. */
import type { Socket } from 'node:net';
import { message, type Connection, type Delivery, type Receiver, type Sender } from 'rhea';
import type { AmqpError } from './wire.js';

type Link = Sender | Receiver;

interface LinkInternals {
  readonly credit: number;
  readonly state: { local_open: boolean; open_requests: number };
  readonly local: { readonly attach: { properties: unknown; max_message_size: number } };
  readonly session: {
    readonly outgoing: { readonly next_delivery_id: number; readonly next_pending_delivery: number };
  };
}

const inside = (link: Link): LinkInternals => link as unknown as LinkInternals;

export function socketOf(connection: Connection): Socket {
  return (connection as unknown as { socket: Socket }).socket;
}

/** How many more messages may be sent, those not counted that wait to be written. */
export function creditOf(sender: Sender): number {
  const { credit, session } = inside(sender);
  return credit - (session.outgoing.next_delivery_id - session.outgoing.next_pending_delivery);
}

/** Gives the rest of the credit back, and says so at once. */
export function drained(sender: Sender): void {
  sender.set_drained(true);
  const connection = sender.connection as unknown as Record<'_register', () => void>;
  connection['_register']();
}

/** Takes back that the attach is answered: `open` answers it later. */
export function holdAttach(sender: Sender): void {
  const { state } = inside(sender);
  state.local_open = false;
  state.open_requests = 0;
}

/** The answer to the attach, before it is written. */
export function attachOf(link: Link): LinkInternals['local']['attach'] {
  return inside(link).local.attach;
}

/** Settles a delivery the way the receiver asked for, or with an error. */
export function answerSettlement(delivery: Delivery, error: AmqpError | null): void {
  const { rejected } = message as unknown as { rejected(value: { error: AmqpError | null }): unknown };
  const state = (error === null ? delivery.remote_state : rejected({ error })) as { described(): never };
  delivery.update(true, state.described());
}
