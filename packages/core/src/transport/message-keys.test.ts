import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  isSignatureOf,
  signatureOf,
  signingKey,
  verifyingKey,
  type SigningKey,
  type VerifyingKey,
} from './message-keys.js';

const pair = generateKeyPairSync('ed25519');
const pem = {
  private: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  public: pair.publicKey.export({ type: 'spki', format: 'pem' }) as string,
};
const secret = randomBytes(32);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe.each<[string, SigningKey, VerifyingKey]>([
  ['a shared secret', { id: 'k', secret }, { id: 'k', secret }],
  ['a shared secret that is a text', { id: 'k', secret: 'ß'.repeat(16) }, { id: 'k', secret: 'ß'.repeat(16) }],
  ['a secret key object', { id: 'k', secret: createSecretKey(secret) }, { id: 'k', secret }],
  ['an Ed25519 pair', { id: 'k', privateKey: pair.privateKey }, { id: 'k', publicKey: pair.publicKey }],
  ['an Ed25519 pair in PEM', { id: 'k', privateKey: pem.private }, { id: 'k', publicKey: pem.public }],
])('%s', (_, signing, verifying) => {
  const [signer, verifier] = [signingKey(signing), verifyingKey(verifying)];

  it('verifies its own signature, and that of no other text', () => {
    const signature = signatureOf('text ß', signer);
    expect(signature).toMatch(/^[\w-]+$/);
    expect(isSignatureOf('text ß', signature, verifier)).toBe(true);
    expect(isSignatureOf('text s', signature, verifier)).toBe(false);
  });

  it.each(['', '!', 'AAAA', 'A'.repeat(43), 'A'.repeat(86), 'A'.repeat(10_000)])(
    'rejects the signature %j',
    (given) => {
      expect(isSignatureOf('text', given, verifier)).toBe(false);
    },
  );

  it('reveals nothing of the key', () => {
    const shown = inspect([signer, verifier], { depth: 10, showHidden: true });
    for (const part of [secret.toString('hex').slice(0, 8), 'ßßß', pem.private.split('\n')[1]!]) {
      expect(shown).not.toContain(part);
    }
  });
});

it('rejects signatures of another secret, and of another kind of key', () => {
  const others = [signingKey({ id: 'k', secret: randomBytes(32) }), signingKey({ id: 'k', privateKey: pem.private })];
  for (const other of others) {
    expect(isSignatureOf('text', signatureOf('text', other), verifyingKey({ id: 'k', secret }))).toBe(false);
  }
});

describe('rejects', () => {
  const invalid = (message: RegExp) =>
    expect.objectContaining({
      code: 'SVC_INVALID_MESSAGE_KEY',
      message: expect.stringMatching(message) as string,
    }) as Error;

  it.each<[string, SigningKey, RegExp]>([
    ['a short secret', { id: 'k', secret: 'x'.repeat(31) }, /has 31 bytes\. Use at least 32/],
    ['an empty secret', { id: 'k', secret: '' }, /has 0 bytes/],
    ['a key pair as a secret', { id: 'k', secret: pair.privateKey }, /its secret is a private key/],
    [
      'a public key to sign with',
      { id: 'k', privateKey: pair.publicKey },
      /it must be a private key, but is a public key/,
    ],
    ['another kind of key pair', { id: 'k', privateKey: rsa.privateKey }, /its type is rsa/],
    ['a text that is not PEM', { id: 'k', privateKey: 'hunter2-hunter2' }, /its private key is not PEM/],
    ['a key without an id', { id: '', secret }, /invalid id/],
    ['a key with an invalid id', { id: 'a key', secret }, /invalid id/],
  ])('%s for signing', (_, key, message) => {
    expect(() => signingKey(key)).toThrow(invalid(message));
    expect(() => signingKey(key)).not.toThrow(/hunter2|xxx/);
  });

  it.each<[string, VerifyingKey, RegExp]>([
    ['a short secret', { id: 'k', secret: randomBytes(16) }, /has 16 bytes/],
    [
      'a private key to verify with',
      { id: 'k', publicKey: pair.privateKey },
      /it must be a public key, but is a private key/,
    ],
    ['a private key in PEM', { id: 'k', publicKey: pem.private }, /its publicKey is a private key/],
    ['another kind of key pair', { id: 'k', publicKey: rsa.publicKey }, /its type is rsa/],
  ])('%s for verifying', (_, key, message) => {
    expect(() => verifyingKey(key)).toThrow(invalid(message));
  });
});
