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

  it('verifies what it signed, and no other text', () => {
    const signature = signatureOf('text ß', signer);
    expect(signature).toMatch(/^[\w-]+$/);
    expect(isSignatureOf('text ß', signature, verifier)).toBe(true);
    expect(isSignatureOf('text s', signature, verifier)).toBe(false);
  });

  it.each(['', '!', 'AAAA', 'A'.repeat(43), 'A'.repeat(86), 'A'.repeat(10_000)])(
    'takes no %j for a signature',
    (given) => {
      expect(isSignatureOf('text', given, verifier)).toBe(false);
    },
  );

  it('shows nothing of the key', () => {
    const shown = inspect([signer, verifier], { depth: 10, showHidden: true });
    for (const part of [secret.toString('hex').slice(0, 8), 'ßßß', pem.private.split('\n')[1]!]) {
      expect(shown).not.toContain(part);
    }
  });
});

it('tells the signatures of two secrets apart, and of two kinds of keys', () => {
  const others = [signingKey({ id: 'k', secret: randomBytes(32) }), signingKey({ id: 'k', privateKey: pem.private })];
  for (const other of others) {
    expect(isSignatureOf('text', signatureOf('text', other), verifyingKey({ id: 'k', secret }))).toBe(false);
  }
});

describe('is no key', () => {
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
      /a private key is needed, and it is a public one/,
    ],
    ['another kind of pair', { id: 'k', privateKey: rsa.privateKey }, /its type is rsa/],
    ['a text that is no PEM', { id: 'k', privateKey: 'hunter2-hunter2' }, /its private key is not PEM/],
    ['a key without an id', { id: '', secret }, /no usable id/],
    ['a key whose id is no name', { id: 'a key', secret }, /no usable id/],
  ])('%s', (_, key, message) => {
    expect(() => signingKey(key)).toThrow(invalid(message));
    expect(() => signingKey(key)).not.toThrow(/hunter2|xxx/);
  });

  it.each<[string, VerifyingKey, RegExp]>([
    ['a short secret', { id: 'k', secret: randomBytes(16) }, /has 16 bytes/],
    [
      'a private key to verify with',
      { id: 'k', publicKey: pair.privateKey },
      /a public key is needed, and it is a private one/,
    ],
    ['a private key in PEM', { id: 'k', publicKey: pem.private }, /a private key was given as publicKey/],
    ['another kind of pair', { id: 'k', publicKey: rsa.publicKey }, /its type is rsa/],
  ])('to verify with: %s', (_, key, message) => {
    expect(() => verifyingKey(key)).toThrow(invalid(message));
  });
});
