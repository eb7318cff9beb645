import { expect, it } from 'vitest';
import { signatureOf, verifyingKey } from './message-keys.js';
import { OriginProof, shown } from './origin-proof.js';
import { signedText } from './signed-text.js';
import type { ReceivedMessage } from './transport.js';
import { newId } from '../messages/index.js';

function receivedMessage(fields: Partial<ReceivedMessage> = {}): ReceivedMessage {
  const id = newId();
  const names = {
    type: 'test.Happened',
    destination: 'test',
    origin: 'sender',
    provenOrigin: fields.origin ?? 'sender',
  };
  const rest = { body: '{}', timestamp: Date.now(), causationId: null, scope: null, metadata: {} };
  return { id, streamId: newId(), correlationId: id, ...names, ...rest, routedType: null, signature: null, ...fields };
}

const key = verifyingKey({ id: 'k1', secret: 'a secret that north and this host share' });
const keys = new Map([['north', new Map([[key.id, key]])]]);

it('can prove hosts whose keys are known, and those that the transport can prove', () => {
  const proof = new OriginProof(keys, { canProve: (hostName) => hostName === 'south' });
  expect(['north', 'south', 'east'].map((host) => proof.canProve(host))).toEqual([true, true, false]);
  const bySignatures = new OriginProof(keys, {});
  expect(['north', 'south'].map((host) => bySignatures.canProve(host))).toEqual([true, false]);
});

const message = receivedMessage({ origin: 'north', provenOrigin: null });
const signature = { keyId: 'k1', value: signatureOf(signedText(message), key) };

it.each<[string, Partial<ReceivedMessage>, string | null]>([
  ['from the sender that the transport has proven', { origin: 'south', provenOrigin: 'south' }, null],
  ['from an unknown sender', { origin: 'south', provenOrigin: null }, 'the transport cannot prove its sender'],
  ['from another sender', { origin: 'south', provenOrigin: 'mallory' }, 'its sender is "mallory"'],
  ['that is signed', { signature }, null],
  ['that is not signed, from a host with keys', { provenOrigin: 'north' }, 'it is not signed'],
  [
    'that is signed with an unknown key',
    { signature: { ...signature, keyId: 'k2' } },
    'it is signed with the key "k2", which does not belong to that host',
  ],
  ['whose signature is of another message', { signature, body: '[]' }, 'its signature is not valid'],
])('explains whether the origin is proven of a message %s', (_, fields, flaw) => {
  const proof = new OriginProof(keys, { canProve: () => true });
  expect(proof.flawOf({ ...message, ...fields })).toBe(flaw);
});

it('quotes a name, and truncates it to 100 characters', () => {
  expect(shown('a"b')).toBe('"a\\"b"');
  expect(shown('x'.repeat(101))).toBe(`"${'x'.repeat(100)}"`);
});
