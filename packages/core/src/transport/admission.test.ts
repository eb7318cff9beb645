import { expect, it } from 'vitest';
import {
  inboxOf,
  MessageRegistry,
  newId,
  SystemEventStream,
  timeOfId,
  type MessageDescriptor,
} from '../messages/index.js';
import { auditDestination, SystemEventOptions, SystemEventTransportFilter } from '../system-events/index.js';
import { AcceptedOrigins, unprovenHosts, type AcceptedHost } from './accepted-origins.js';
import { Admission } from './admission.js';
import { ClockLimit } from './clock-limit.js';
import { CommandAge } from './command-age.js';
import { signatureOf, verifyingKey } from './message-keys.js';
import { MessageRejectedError } from './message-rejected-error.js';
import { OriginProof } from './origin-proof.js';
import { signedText } from './signed-text.js';
import type { ReceivedMessage } from './transport.js';

class Placed {}
class Paid {}
class Cleared {}
class Audited {}
class Cancel {}
class Refund {}

const described = (type: string, kind: MessageDescriptor['kind'], made: MessageDescriptor['class']) => ({
  type,
  kind,
  class: made,
  read: () => new Placed(),
  write: () => '{}',
});
const messages = new MessageRegistry([
  described('orders.Placed', 'event', Placed),
  described('billing.Paid', 'event', Paid),
  described('orders.Cleared', 'systemEvent', Cleared),
  described('svc.Audited', 'event', Audited),
  described('orders.Cancel', 'command', Cancel),
  described('orders.Refund', 'command', Refund),
]);

const key = verifyingKey({ id: 'k1', secret: 'a secret that shipping and this host share' });

interface Setup {
  readonly broadcast?: boolean;
  readonly orders?: readonly AcceptedHost[];
}

/** Accepts `orders` of north, of shipping, whose keys are known, and of what a case adds; commands of north. */
function admission({ broadcast = false, orders = [] }: Setup = {}): Admission {
  const options = new SystemEventOptions();
  options.localOnly = !broadcast;
  const accepted = (...hosts: readonly AcceptedHost[]): AcceptedOrigins => {
    const origins = new AcceptedOrigins();
    origins.add(hosts);
    return origins;
  };
  return new Admission({
    messages,
    filter: new SystemEventTransportFilter(options, messages),
    hostName: 'this',
    self: 'this',
    proof: new OriginProof(new Map([['shipping', new Map([[key.id, key]])]]), { canProve: () => true }),
    events: new Map([
      ['orders', accepted('north', 'shipping', ...orders)],
      ['svc', accepted('north')],
    ]),
    commands: new Map([['orders.Cancel', accepted('north')]]),
    commandAge: new CommandAge(1_000_000),
    // By the ids of this process, which other tests may have moved ahead.
    clockLimit: new ClockLimit(60_000, () => timeOfId(newId())!),
  });
}

function event(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const id = newId();
  const origin = fields.origin ?? 'north';
  return {
    id,
    type: 'orders.Placed',
    streamId: newId(),
    body: '{}',
    timestamp: Date.now(),
    correlationId: id,
    causationId: null,
    scope: null,
    metadata: {},
    destination: 'orders',
    origin,
    provenOrigin: origin,
    routedType: null,
    signature: null,
    ...fields,
  };
}

const command = (fields: Partial<ReceivedMessage> = {}): ReceivedMessage =>
  event({ type: 'orders.Cancel', destination: inboxOf('this'), ...fields });
const signed = (message: ReceivedMessage): ReceivedMessage => ({
  ...message,
  signature: { keyId: key.id, value: signatureOf(signedText(message), key) },
});
const inSystemStream = { streamId: SystemEventStream.streamId };
const audited = { type: 'svc.Audited', destination: auditDestination, ...inSystemStream };

/** The cause of a rejection, the proven origin, or how a message passes without one. */
function outcome(verdict: ReturnType<Admission['event']>): string {
  if (verdict === null) return 'ignored';
  return verdict instanceof MessageRejectedError ? verdict.rejectionCause : (verdict.origin ?? 'unproven');
}

it.each<[string, ReceivedMessage, string, Setup?]>([
  ['of an accepted host', event(), 'north'],
  ['that was routed by its type', event({ routedType: 'orders.Placed' }), 'north'],
  ['of this host', event({ origin: 'this' }), 'ignored'],
  ['that names this host, of another sender', event({ origin: 'this', provenOrigin: 'mallory' }), 'ignored'],
  ['of an unknown type', event({ type: 'orders.Unknown' }), 'ignored'],
  ['whose sender is not known', event({ provenOrigin: null }), 'UnprovenOrigin'],
  ['of another sender', event({ provenOrigin: 'mallory' }), 'UnprovenOrigin'],
  ['of a host that is not accepted', event({ origin: 'south' }), 'OriginNotAccepted'],
  [
    'of a namespace that is accepted of no host',
    event({ type: 'billing.Paid', destination: 'billing' }),
    'OriginNotAccepted',
  ],
  ['on another topic', event({ destination: 'billing' }), 'TypeMismatch'],
  ['on the topic of the audit', event({ destination: auditDestination }), 'TypeMismatch'],
  ['that was routed as another type', event({ routedType: 'orders.Paid' }), 'TypeMismatch'],
  [
    'of an unknown type that was routed as a known one',
    event({ type: 'x.Y', routedType: 'orders.Placed' }),
    'TypeMismatch',
  ],
  ['that is a command', event({ type: 'orders.Cancel' }), 'TypeMismatch'],
  ['for the system stream', event(inSystemStream), 'SystemMessage'],
  ['of an unknown type for the system stream', event({ type: 'orders.Unknown', ...inSystemStream }), 'SystemMessage'],
  [
    'for the system stream, where system events are accepted',
    event(inSystemStream),
    'SystemMessage',
    { broadcast: true },
  ],
  ['of the system', event(audited), 'SystemMessage'],
  ['of the system, of an unknown type', event({ ...audited, type: 'svc.Unknown' }), 'SystemMessage'],
  ['of the system, of the application', event({ ...audited, type: 'orders.Cleared' }), 'SystemMessage'],
  ['of the system, where those are accepted', event(audited), 'north', { broadcast: true }],
  [
    'of the system and the application, likewise',
    event({ ...audited, type: 'orders.Cleared' }),
    'north',
    { broadcast: true },
  ],
  ['of the system on another topic', event({ ...audited, destination: 'svc' }), 'TypeMismatch', { broadcast: true }],
  ['of the system in another stream', event({ ...audited, streamId: newId() }), 'SystemMessage', { broadcast: true }],
  ['of the system, of another host', event({ ...audited, origin: 'south' }), 'OriginNotAccepted', { broadcast: true }],
  ['of the system, unproven', event({ ...audited, provenOrigin: null }), 'UnprovenOrigin', { broadcast: true }],
  ['of a host with keys, signed', signed(event({ origin: 'shipping', provenOrigin: null })), 'shipping'],
  ['of a host with keys, which the broker proves', event({ origin: 'shipping' }), 'UnprovenOrigin'],
  ['of a host with keys, changed', { ...signed(event({ origin: 'shipping' })), body: '[]' }, 'UnprovenOrigin'],
  ['of a host without keys, signed by another', signed(event({ provenOrigin: null })), 'UnprovenOrigin'],
  [
    'of any sender, where no proof is asked for',
    event({ provenOrigin: null }),
    'unproven',
    { orders: [unprovenHosts] },
  ],
  ['of any host, which is proven all the same', event({ origin: 'south' }), 'south', { orders: [unprovenHosts] }],
  [
    'of another sender, where no proof is asked for',
    event({ provenOrigin: 'me' }),
    'unproven',
    { orders: [unprovenHosts] },
  ],
  [
    'for the system stream, where no proof is asked for',
    event(inSystemStream),
    'SystemMessage',
    { orders: [unprovenHosts] },
  ],
])('an event %s: %#', (_, message, expected, setup) => {
  expect(outcome(admission(setup).event(message))).toBe(expected);
});

it.each<[string, ReceivedMessage, string]>([
  ['of an accepted host', command(), 'north'],
  ['whose sender is not known', command({ provenOrigin: null }), 'UnprovenOrigin'],
  ['of a host that is not accepted', command({ origin: 'south' }), 'OriginNotAccepted'],
  ['that is accepted of no host', command({ type: 'orders.Refund' }), 'OriginNotAccepted'],
  ['of an unknown type', command({ type: 'x.Y' }), 'OriginNotAccepted'],
  ['that is an event', command({ type: 'orders.Placed' }), 'TypeMismatch'],
  ['of the system', command({ type: 'svc.Audited' }), 'SystemMessage'],
  ['for another host', command({ destination: inboxOf('other') }), 'TypeMismatch'],
  ['on a topic', command({ destination: 'orders' }), 'TypeMismatch'],
  ['that is too old', command({ timestamp: Date.now() - 950_000 }), 'Expired'],
  ['from the future', command({ timestamp: Date.now() + 150_000 }), 'Expired'],
])('a command %s: %#', (_, message, expected) => {
  expect(outcome(admission().command(message))).toBe(expected);
});

it('an old command that came in time may be replayed', () => {
  const message = command({ timestamp: Date.now() - 10_000_000 });
  expect(outcome(admission().command(message, message.timestamp + 1_000))).toBe('north');
});

it('counts what is admitted without a proof', () => {
  const guard = admission({ orders: [unprovenHosts] });
  for (const provenOrigin of [null, 'north', null]) guard.event(event({ provenOrigin }));
  expect(guard.unprovenCount).toBe(2);
});

it('says what to do, and repeats names of a sender in quotes, bounded and well formed', () => {
  const origin = `${'x'.repeat(200)}\ud83d`;
  const verdict = admission().event(event({ origin: `"\n\ud83d${origin}` })) as MessageRejectedError;
  expect(verdict.message).toMatch(/^"orders\.Placed" is not accepted from "\\"\\n\ufffdx+": .*Call acceptEvents/);
  expect(verdict.message.length).toBeLessThan(300);
});
