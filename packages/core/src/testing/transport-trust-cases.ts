import assert from 'node:assert/strict';
import type { Uuid } from '../json/index.js';
import { inboxOf, latestIdKey, newId, SystemEventStream } from '../messages/index.js';
import { auditDestination } from '../system-events/index.js';
import type { PublishedMessage } from '../transport/index.js';
import type { TransportCase } from './transport-case.js';
import { aWhile, eventually, listen, transportMessage } from './transport-messages.js';
import { capturing, commandMessage, keyOf, TrustingHost } from './trusting-host.js';

/** An id of a host whose clock shows this time. */
function idAt(time: number): Uuid {
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}${newId().slice(13)}` as Uuid;
}

/** What another host claims about a caller and this one must ignore. */
const claimed = { roles: 'admin', permissions: '*:*', source: 'jwt' };

/** Protection against other clients of the broker, and against hosts that exceed what is accepted from them. */
export const trustCases: readonly TransportCase[] = [
  {
    name: 'proves only the origin of the publishing host, whatever a message claims',
    async run(broker) {
      const [sender, receiver] = [await broker.open('sender'), await broker.open('receiver')];
      const { received, has } = await listen(receiver);
      const [honest, lying, forged] = [transportMessage(), transportMessage({ origin: 'first' }), transportMessage()];
      await sender.publish([honest, lying]);
      await broker.intrude(forged);
      await has(3);
      const provenOf = (id: string): unknown => received.find((message) => message.id === id)!.provenOrigin;
      const canProve = receiver.canProve?.('sender') === true;
      assert.equal(provenOf(honest.id), canProve ? 'sender' : null);
      assert.equal(provenOf(lying.id), canProve ? 'sender' : null);
      assert.notEqual(provenOf(forged.id), 'sender');
    },
  },
  {
    name: 'stores the events of an accepted host under its proven name, and none of a client that claims its name',
    async run(broker) {
      const host = await TrustingHost.start(broker);
      const forged = [transportMessage(), transportMessage({ origin: 'first' })];
      for (const message of forged) await broker.intrude(message);
      const scope = { tenantId: 'acme', userId: 'ann', userName: 'Ann', ...claimed };
      const sent = transportMessage({ scope, metadata: { origin: 'mars', claimedOrigin: 'mars', note: 1 } });
      await host.send([sent]);
      await eventually(async () => (await host.stored()).length === 1, 'the event of the accepted host');
      const [event] = await host.stored();
      assert.equal(event!.id, sent.id);
      assert.deepEqual(event!.metadata, { note: 1, origin: 'sender' });
      assert.deepEqual(event!.scope, { tenantId: 'acme', userId: 'ann', userName: 'Ann', source: 'transport' });
      await eventually(async () => (await host.letters()).length === 2, 'two dead letters');
      assert.deepEqual(await host.causes(), ['OriginNotAccepted', 'UnprovenOrigin']);
      for (const { id } of await host.letters()) {
        await assert.rejects(() => host.service.deadLetters.replay(id), { name: 'MessageRejectedError' });
      }
      assert.equal((await host.stored()).length, 1);
      await host.stop();
    },
  },
  {
    name: 'stores no event whose type differs from that of its route',
    async run(broker) {
      const host = await TrustingHost.start(broker);
      await broker.intrude(transportMessage(), { destination: 'test', type: 'test.HappenedAgain' });
      await broker.intrude(transportMessage({ type: 'other.Happened' }), {
        destination: 'test',
        type: 'test.Happened',
      });
      await host.send([transportMessage({ type: 'other.Happened', destination: 'test' })]);
      await host.sendLast();
      assert.deepEqual(await host.storedTypes(), ['test.Last']);
      await host.stop();
    },
  },
  {
    name: 'stores nothing of other hosts in the system stream, and no local system event',
    async run(broker) {
      const host = await TrustingHost.start(broker);
      const { streamId } = SystemEventStream;
      const audited = { type: 'svc.CommandAudited', destination: auditDestination, body: '{}' };
      await host.send([transportMessage({ streamId })]);
      await host.send([
        transportMessage({ ...audited, streamId }),
        transportMessage({ ...audited, destination: 'test' }),
      ]);
      await broker.intrude(transportMessage({ ...audited, streamId }), { destination: 'test', type: 'test.Happened' });
      await host.sendLast();
      assert.deepEqual(await host.storedTypes(), ['test.Last']);
      await eventually(async () => (await host.causes()).includes('SystemMessage'), 'a dead letter');
      const letter = (await host.letters()).find(({ cause }) => cause === 'SystemMessage');
      await assert.rejects(() => host.service.deadLetters.replay(letter!.id), { code: 'SVC_SYSTEM_MESSAGE' });
      assert.deepEqual(await host.storedTypes(), ['test.Last']);
      await host.stop();
    },
  },
  {
    name: 'subscribes to the accepted namespaces, and stores nothing of others',
    async run(broker) {
      const host = await TrustingHost.start(broker);
      await host.send([transportMessage({ type: 'other.Happened', destination: 'other' })]);
      await host.sendLast();
      assert.deepEqual(await host.storedTypes(), ['test.Last']);
      assert.deepEqual(await host.letters(), []);
      await host.stop();
    },
  },
  {
    name: 'runs the commands of an accepted host without the roles and permissions they claim, and none of another client',
    async run(broker) {
      const host = await TrustingHost.start(broker);
      await broker.intrude(commandMessage('receiver'));
      await broker.intrude(transportMessage(), { destination: inboxOf('receiver'), type: 'test.Do' });
      const scope = { tenantId: 'acme', userId: 'ann', ...claimed, origin: 'mars' };
      const sent = commandMessage('receiver', { scope });
      await host.send([sent]);
      await eventually(() => host.ran.length === 1, 'the command of the accepted host');
      await eventually(async () => (await host.letters()).length === 2, 'two dead letters');
      await aWhile();
      const own = { tenantId: 'acme', userId: 'ann', source: 'inbox', origin: 'sender' };
      assert.deepEqual(host.ran, [{ id: sent.id, scope: own }]);
      assert.deepEqual(await host.causes(), ['TypeMismatch', 'UnprovenOrigin']);
      await host.stop();
    },
  },
  {
    name: 'rejects a command that is older than the retention of received ids, also if it is replayed',
    async run(broker) {
      const host = await TrustingHost.start(broker);
      const day = 24 * 60 * 60 * 1_000;
      await host.send([
        commandMessage('receiver', { timestamp: Date.now() - 14 * day }),
        commandMessage('receiver', { timestamp: Date.now() + day }),
      ]);
      await eventually(async () => (await host.letters()).length === 2, 'two dead letters');
      assert.deepEqual(await host.causes(), ['Expired', 'Expired']);
      const [letter] = await host.letters();
      await assert.rejects(() => host.service.deadLetters.replay(letter!.id), { code: 'SVC_COMMAND_EXPIRED' });
      assert.deepEqual(host.ran, []);
      await host.stop();
    },
  },
  {
    name: 'rejects a message whose id is far in the future, because later ids would follow it',
    async run(broker) {
      const host = await TrustingHost.start(broker);
      const hour = 60 * 60 * 1_000;
      await host.send([transportMessage({ id: idAt(Date.now() + hour) })]);
      await host.send([commandMessage('receiver', { id: idAt(Date.now() + hour) })]);
      await host.send([transportMessage({ id: idAt(Date.now() + 60_000) })]);
      await eventually(async () => (await host.letters()).length === 2, 'two dead letters');
      assert.deepEqual(await host.causes(), ['ClockAhead', 'ClockAhead']);
      await eventually(async () => (await host.stored()).length === 1, 'the event from a minute ahead');
      for (const { id } of await host.letters()) {
        await assert.rejects(() => host.service.deadLetters.replay(id), { code: 'SVC_CLOCK_AHEAD' });
      }
      assert.deepEqual(host.ran, []);
      await host.stop();
    },
  },
  {
    name: 'ignores what a message claims about the ids of its stream',
    async run(broker) {
      const host = await TrustingHost.start(broker);
      const sent = transportMessage({ metadata: { [latestIdKey]: 'ffffffff-ffff-7fff-bfff-ffffffffffff', note: 1 } });
      const malformed = transportMessage({ metadata: { [latestIdKey]: 'no id' } });
      await host.send([sent, malformed]);
      await eventually(async () => (await host.stored()).length === 2, 'both events');
      for (const { metadata } of await host.stored()) assert.equal(Object.hasOwn(metadata, latestIdKey), false);
      assert.ok(newId() < 'f');
      await host.stop();
    },
  },
  {
    name: 'accepts messages signed by any key of their host, and rejects changed ones',
    async run(broker) {
      const host = await TrustingHost.start(broker, { signs: true });
      const { transport, published } = capturing(await broker.open('sender'));
      for (const keyId of ['old', 'new']) {
        const sender = await TrustingHost.sender(transport, keyOf(keyId));
        await sender.append('test.Happened');
        await sender.stop();
      }
      await eventually(async () => (await host.stored()).length === 2, 'two signed events');
      const [signed] = published as [PublishedMessage];
      const changed: PublishedMessage[] = [
        { ...signed, body: '{"what":"changed"}' },
        { ...signed, scope: { tenantId: 'other' } },
        { ...signed, metadata: { ...signed.metadata, note: 1 } },
        { ...signed, timestamp: signed.timestamp + 1 },
        { ...signed, streamId: signed.correlationId },
        { ...signed, type: 'test.HappenedAgain' },
        { ...signed, signature: { ...signed.signature!, keyId: 'unknown' } },
        { ...transportMessage(), signature: signed.signature! },
      ];
      for (const message of changed) await broker.intrude(message);
      const { signature: _, ...unsigned } = signed;
      await broker.intrude({ ...unsigned, id: transportMessage().id });
      await broker.intrude({ ...signed, destination: inboxOf('receiver') });
      await eventually(async () => (await host.letters()).length === changed.length + 2, 'all dead letters');
      assert.equal((await host.stored()).length, 2);
      assert.deepEqual(new Set(await host.causes()), new Set(['UnprovenOrigin', 'TypeMismatch']));
      await host.stop();
    },
  },
];
