import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { exportJWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { audience, claimsOf, issuerName, signed } from '../testing/issuer.js';
import { apiKeyAuthentication, hashApiKey, jwtAuthentication, type JwtOptions } from '@svc/http';

const secret = randomBytes(32);
const common = { issuer: issuerName, audience };
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 1024 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('rejects unsafe settings', () => {
  it.each<[string, unknown, string]>([
    ['no audience', { issuer: issuerName, secret }, 'Set the audience that tokens must have'],
    ['an empty audience', { ...common, audience: '', secret }, 'Set the audience that tokens must have'],
    ['no issuer', { audience, secret }, 'Set the issuer that tokens must have'],
    ['no accepted issuers', { ...common, issuer: [], secret }, 'Set the issuer that tokens must have'],
    ['no key', common, 'Set exactly one of jwks, publicKey and secret, not none.'],
    ['two kinds of key', { ...common, secret, jwks: 'https://x.example/' }, 'not jwks and secret'],
    ['a short secret', { ...common, secret: 'x'.repeat(31) }, 'The secret has 31 bytes; HS256 needs 32.'],
    ['a short secret for HS512', { ...common, secret, algorithms: ['HS512'] }, 'HS512 needs 64'],
    ['no signature', { ...common, secret, algorithms: ['none'] }, 'none cannot be used with a secret'],
    [
      'a public key as a secret',
      { ...common, publicKey: rsa.publicKey, algorithms: ['HS256'] },
      'HS256 cannot be used',
    ],
    [
      'a key set with secrets',
      { ...common, jwks: 'https://x.example/', algorithms: ['ES256', 'HS256'] },
      'HS256 cannot',
    ],
    ['a secret for public keys', { ...common, secret, algorithms: ['RS256'] }, 'RS256 cannot be used with a secret'],
    ['an algorithm of another key', { ...common, publicKey: ec.publicKey, algorithms: ['RS256'] }, 'ES256 can'],
    ['no algorithm', { ...common, secret, algorithms: [] }, 'algorithms is empty'],
    ['a weak key', { ...common, publicKey: weak.publicKey }, 'RSA of at least 2048 bits'],
    ['no key at all', { ...common, publicKey: 'my key' }, 'publicKey cannot be read'],
    ['keys over plain HTTP', { ...common, jwks: 'http://issuer.example/jwks' }, 'jwks must be an https: URL'],
    ['keys from a file', { ...common, jwks: 'file:///etc/keys' }, 'jwks must be an https: URL'],
    ['no URL', { ...common, jwks: 'keys' }, 'jwks must be a URL'],
    ['a clock tolerance of an hour', { ...common, secret, clockTolerance: 3600 }, 'clockTolerance must be between'],
    [
      'a clock tolerance that is not a number',
      { ...common, secret, clockTolerance: Number.NaN },
      'clockTolerance must be between',
    ],
  ])('%s', (_name, options, message) => {
    expect(() => jwtAuthentication(options as JwtOptions)).toThrow(
      expect.objectContaining({
        code: 'SVC_INVALID_AUTHENTICATION',
        message: expect.stringContaining(message) as string,
      }),
    );
  });

  it('invalid permissions of roles', () => {
    const roles = { clerk: ['everything' as 'a:b'] };
    expect(() => jwtAuthentication({ ...common, secret, roles })).toThrow('not a permission');
  });

  it.each<[string, Parameters<typeof apiKeyAuthentication>[0], string]>([
    ['a key instead of its hash', { keys: [{ sha256: 'my-key', scope: {} }] }, 'Give the hash, not the key.'],
    ['a key twice', { keys: ['a', 'A'].map(() => ({ sha256: hashApiKey('k'), scope: {} })) }, 'the same API key twice'],
    ['the header of tokens', { header: 'Authorization', keys: [] }, 'cannot carry API keys'],
    ['no header', { header: '', keys: [] }, 'cannot carry API keys'],
  ])('%s', (_name, options, message) => {
    expect(() => apiKeyAuthentication(options)).toThrow(message);
  });
});

describe('a public key', () => {
  it.each([
    ['a key object', () => rsa.publicKey],
    ['PEM', () => rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string],
    ['a JWK', () => exportJWK(rsa.publicKey)],
  ])('may be %s', async (_name, publicKey) => {
    const authenticator = jwtAuthentication({ ...common, publicKey: await publicKey() });
    const key = await crypto.subtle.importKey(
      'pkcs8',
      rsa.privateKey.export({ type: 'pkcs8', format: 'der' }),
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    const { context } = await authenticator.authenticate(await signed(claimsOf(), key, 'RS256'));
    expect(context.scope).toEqual({ userId: 'ann' });
    const asSecret = new TextEncoder().encode(rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string);
    const confused = await signed(claimsOf(), asSecret, 'HS256');
    await expect(authenticator.authenticate(confused)).rejects.toMatchObject({ code: 'SVC_UNAUTHENTICATED' });
  });
});

it('accepts tokens of any issuer and audience only if both are false', async () => {
  const authenticator = jwtAuthentication({ issuer: false, audience: false, secret });
  const token = await signed(claimsOf({ iss: null, aud: null }), secret, 'HS256');
  await expect(authenticator.authenticate(token)).resolves.toMatchObject({ context: { scope: { userId: 'ann' } } });
});
