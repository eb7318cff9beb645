/** Issues real tokens, and publishes real keys over HTTP on a loopback port. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

export const issuerName = 'https://issuer.example';
export const audience = 'orders';
const now = (): number => Math.floor(Date.now() / 1000);

/** Claims of a token that is valid for five minutes; null omits a claim. */
export function claimsOf(changes: Record<string, unknown> = {}): JWTPayload {
  const claims: Record<string, unknown> = {
    iss: issuerName,
    aud: audience,
    sub: 'ann',
    iat: now(),
    exp: now() + 300,
    ...changes,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}

export const inSeconds = (seconds: number): number => now() + seconds;

export function signed(claims: JWTPayload, key: CryptoKey | Uint8Array, alg: string, kid?: string): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(kid === undefined ? { alg } : { alg, kid }).sign(key);
}

/** A token with any header and signature. */
export function forged(header: object, claims: JWTPayload, signature = ''): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${signature}`;
}

export class Issuer {
  /** How often the keys were fetched. */
  fetches = 0;
  /** The response of the server instead of the keys. */
  failure: { readonly status: number; readonly body: string } | null = null;
  readonly #server: Server;
  readonly #published: JWK[] = [];
  readonly #keys = new Map<string, { readonly alg: string; readonly key: CryptoKey }>();

  constructor() {
    this.#server = createServer((_request, response) => {
      this.fetches++;
      const { status, body } = this.failure ?? { status: 200, body: JSON.stringify({ keys: this.#published }) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/jwks.json`;
  }

  /** Adds a key and publishes its public half, unless it is unpublished. */
  async addKey(kid: string, alg: string, publish = true): Promise<JWK> {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    this.#keys.set(kid, { alg, key: privateKey });
    const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
    if (publish) this.#published.push(jwk);
    return jwk;
  }

  removeKey(kid: string): void {
    this.#published.splice(
      this.#published.findIndex((key) => key.kid === kid),
      1,
    );
  }

  token(kid: string, changes: Record<string, unknown> = {}, named: string | null = kid): Promise<string> {
    const { alg, key } = this.#keys.get(kid)!;
    return signed(claimsOf(changes), key, alg, named ?? undefined);
  }
}
