import { expect, it } from 'vitest';
import type { Uuid } from '../json/index.js';
import {
  firstIdOf,
  inboxOf,
  MessageRegistry,
  newId,
  SystemEventStream,
  timeOfId,
  type MessageDescriptor,
  type TransportPublishFilter,
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
  readonly filter?: TransportPublishFilter;
  readonly hostName?: string | null;
}

/** Accepts `orders` from north, from shipping, whose keys are known, and from the hosts of a case; commands from north. */
function admission({ broadcast = false, orders = [], filter, hostName = 'this' }: Setup = {}): Admission {
  const options = new SystemEventOptions();
  options.localOnly = !broadcast;
  const accepted = (...hosts: readonly AcceptedHost[]): AcceptedOrigins => {
    const origins = new AcceptedOrigins();
    origins.add(hosts);
    return origins;
  };
  return new Admission({
    messages,
    filter: filter ?? new SystemEventTransportFilter(options, messages),
    hostName,
    self: 'this',
    proof: new OriginProof(new Map([['shipping', new Map([[key.id, key]])]]), { canProve: () => true }),
    events: new Map([
      ['orders', accepted('north', 'shipping', ...orders)],
      ['svc', accepted('north')],
    ]),
    commands: new Map([['orders.Cancel', accepted('north')]]),
    commandAge: new CommandAge(1_000_000),
    // The time of the latest id: other tests may have moved the clock of this process ahead.
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

/** The cause of a rejection, the proven origin, `unproven` or `ignored`. */
function outcome(verdict: ReturnType<Admission['event']>): string {
  if (verdict === null) return 'ignored';
  return verdict instanceof MessageRejectedError ? verdict.rejectionCause : (verdict.origin ?? 'unproven');
}

it.each<[string, ReceivedMessage, string, Setup?]>([
  ['from an accepted host', event(), 'north'],
  ['that was routed by its type', event({ routedType: 'orders.Placed' }), 'north'],
  ['from this host', event({ origin: 'this' }), 'ignored'],
  ['that names this host, from another sender', event({ origin: 'this', provenOrigin: 'mallory' }), 'ignored'],
  ['of an unknown type', event({ type: 'orders.Unknown' }), 'ignored'],
  ['whose sender is unknown', event({ provenOrigin: null }), 'UnprovenOrigin'],
  ['from another sender', event({ provenOrigin: 'mallory' }), 'UnprovenOrigin'],
  ['from a host that is not accepted', event({ origin: 'south' }), 'OriginNotAccepted'],
  [
    'of a namespace that is accepted from no host',
    event({ type: 'billing.Paid', destination: 'billing' }),
    'OriginNotAccepted',
  ],
  ['on another topic', event({ destination: 'billing' }), 'TypeMismatch'],
  ['on the audit topic', event({ destination: auditDestination }), 'TypeMismatch'],
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
  ['that is a system event', event(audited), 'SystemMessage'],
  ['that is a system event of an unknown type', event({ ...audited, type: 'svc.Unknown' }), 'SystemMessage'],
  ['that is a system event of the application', event({ ...audited, type: 'orders.Cleared' }), 'SystemMessage'],
  ['that is a system event, where those are accepted', event(audited), 'north', { broadcast: true }],
  [
    'that is a system event of the application, where those are accepted',
    event({ ...audited, type: 'orders.Cleared' }),
    'north',
    { broadcast: true },
  ],
  [
    'that is a system event on another topic',
    event({ ...audited, destination: 'svc' }),
    'TypeMismatch',
    { broadcast: true },
  ],
  [
    'that is a system event in another stream',
    event({ ...audited, streamId: newId() }),
    'SystemMessage',
    { broadcast: true },
  ],
  [
    'that is a system event from another host',
    event({ ...audited, origin: 'south' }),
    'OriginNotAccepted',
    { broadcast: true },
  ],
  [
    'that is an unproven system event',
    event({ ...audited, provenOrigin: null }),
    'UnprovenOrigin',
    { broadcast: true },
  ],
  ['from a host with keys, signed', signed(event({ origin: 'shipping', provenOrigin: null })), 'shipping'],
  ['from a host with keys, proven by the broker only', event({ origin: 'shipping' }), 'UnprovenOrigin'],
  [
    'from a host with keys, changed after signing',
    { ...signed(event({ origin: 'shipping' })), body: '[]' },
    'UnprovenOrigin',
  ],
  ['from a host without keys, signed by another host', signed(event({ provenOrigin: null })), 'UnprovenOrigin'],
  [
    'from any sender, where no proof is required',
    event({ provenOrigin: null }),
    'unproven',
    { orders: [unprovenHosts] },
  ],
  ['from a proven host, where no proof is required', event({ origin: 'south' }), 'south', { orders: [unprovenHosts] }],
  [
    'from another sender, where no proof is required',
    event({ provenOrigin: 'me' }),
    'unproven',
    { orders: [unprovenHosts] },
  ],
  [
    'for the system stream, where no proof is required',
    event(inSystemStream),
    'SystemMessage',
    { orders: [unprovenHosts] },
  ],
])('an event %s: %#', (_, message, expected, setup) => {
  expect(outcome(admission(setup).event(message))).toBe(expected);
});

it.each<[string, ReceivedMessage, string]>([
  ['from an accepted host', command(), 'north'],
  ['whose sender is unknown', command({ provenOrigin: null }), 'UnprovenOrigin'],
  ['from a host that is not accepted', command({ origin: 'south' }), 'OriginNotAccepted'],
  ['that is accepted from no host', command({ type: 'orders.Refund' }), 'OriginNotAccepted'],
  ['of an unknown type', command({ type: 'x.Y' }), 'OriginNotAccepted'],
  ['that is an event', command({ type: 'orders.Placed' }), 'TypeMismatch'],
  ['in the namespace of svc', command({ type: 'svc.Audited' }), 'SystemMessage'],
  ['for another host', command({ destination: inboxOf('other') }), 'TypeMismatch'],
  ['on a topic', command({ destination: 'orders' }), 'TypeMismatch'],
  ['that is too old', command({ timestamp: Date.now() - 950_000 }), 'Expired'],
  ['from the future', command({ timestamp: Date.now() + 150_000 }), 'Expired'],
])('a command %s: %#', (_, message, expected) => {
  expect(outcome(admission().command(message))).toBe(expected);
});

it('rejects ids from the far future, unless the message is rejected for another reason', () => {
  const ahead = (): { readonly id: Uuid } => ({ id: firstIdOf(timeOfId(newId())! + 120_000) });
  expect(outcome(admission().event(event(ahead())))).toBe('ClockAhead');
  expect(outcome(admission().command(command(ahead())))).toBe('ClockAhead');
  expect(outcome(admission().event(event({ ...ahead(), origin: 'south' })))).toBe('OriginNotAccepted');
});

it('reports an old command from a host that is not accepted as such', () => {
  const message = command({ origin: 'south', timestamp: 0 });
  expect(outcome(admission().command(message))).toBe('OriginNotAccepted');
});

it('accepts no command without a host name', () => {
  const nameless = admission({ hostName: null });
  for (const name of ['this', 'null']) {
    expect(outcome(nameless.command(command({ destination: inboxOf(name) })))).toBe('TypeMismatch');
  }
});

it('proves nothing of a message that it admits without proof', () => {
  const guard = admission({ orders: [unprovenHosts] });
  expect(guard.event(event({ provenOrigin: null }))).toEqual({ origin: null });
});

it.each<[string, RegExp, () => ReturnType<Admission['event']>]>([
  ['a host that sends commands', /call acceptCommands\.$/, () => admission().command(command({ origin: 'south' }))],
  [
    'a filter',
    /a transport publish filter of this host rejects it from every host/,
    () =>
      admission({
        filter: { shouldPublishToTransport: () => true, shouldReceiveFromTransport: () => false },
      }).event(event()),
  ],
  [
    'a system event',
    /this host accepts no system events, or not in this stream/,
    () => admission().event(event(audited)),
  ],
  [
    'a system event of an unknown type in another stream',
    /this host accepts no system events, or not in this stream/,
    () => admission().event(event({ type: 'svc.Unknown' })),
  ],
  [
    'a command in the namespace of svc',
    /this host accepts no system events, or not in this stream/,
    () => admission().command(command({ type: 'svc.Audited' })),
  ],
  ['an event for the system stream', /accepts system events only/, () => admission().event(event(inSystemStream))],
  [
    'an event of an unknown type for the system stream',
    /accepts system events only/,
    () => admission().event(event({ type: 'orders.Unknown', ...inSystemStream })),
  ],
])('reports the reason of a rejection: %s', (_, reason, decide) => {
  const verdict = decide();
  expect(verdict).toBeInstanceOf(MessageRejectedError);
  expect((verdict as MessageRejectedError).message).toMatch(reason);
});

it('admits the replay of an old command that arrived in time', () => {
  const message = command({ timestamp: Date.now() - 10_000_000 });
  expect(outcome(admission().command(message, message.timestamp + 1_000))).toBe('north');
});

it('counts messages that are admitted without proof', () => {
  const guard = admission({ orders: [unprovenHosts] });
  for (const provenOrigin of [null, 'north', null]) guard.event(event({ provenOrigin }));
  expect(guard.unprovenCount).toBe(2);
});

it('reports what to do, and quotes names of a sender truncated and well-formed', () => {
  const origin = `${'x'.repeat(200)}\ud83d`;
  const verdict = admission().event(event({ origin: `"\n\ud83d${origin}` })) as MessageRejectedError;
  expect(verdict.message).toMatch(/^"orders\.Placed" is not accepted from "\\"\\n\ufffdx+": .* call acceptEvents/);
  expect(verdict.message.length).toBeLessThan(300);
});
