import type { KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import type { Identity, RolePermissions } from './identity.js';
import type { ProtectedResource } from './protected-resource.js';

/** The claims of a token whose signature, times, issuer and audience are valid. */
export type JwtClaims = Readonly<Record<string, unknown>>;

/** What verifies tokens: exactly one of the three. */
export type JwtKeySource =
  | {
      /** The URL of the issuer's key set. Fetched with the first token; `https:`, except on a loopback address. */
      readonly jwks: string | URL;
      /** The times of the key set. */
      readonly keySet?: KeySetOptions;
    }
  | {
      /** The issuer's public key: PEM, JWK or a key object. */
      readonly publicKey: string | JWK | KeyObject;
    }
  | {
      /** The secret shared with the issuer: at least 32 random bytes (48 for HS384, 64 for HS512). */
      readonly secret: string | Uint8Array;
    };

/** The times of a remote key set, in seconds. */
export interface KeySetOptions {
  /** The timeout of a fetch. Default: 5. */
  readonly timeout?: number;
  /** How long after a fetch an unknown key does not cause another one. It limits the requests that unknown keys cause. Default: 1. */
  readonly cooldown?: number;
  /** How long fetched keys are used. A key that the issuer has removed verifies no token after this time. Default: 600. */
  readonly maxAge?: number;
}

/** The options of `jwtAuthentication`. */
export type JwtOptions = JwtKeySource & {
  /** The accepted issuers (`iss`). False: any; only safe if the key belongs to a single issuer. */
  readonly issuer: string | readonly string[] | false;
  /** The accepted audiences (`aud`). False: any, so tokens for other services are accepted as well. */
  readonly audience: string | readonly string[] | false;
  /**
   * The accepted signature algorithms. Default: HS256 for a secret, otherwise every algorithm that fits the public key. An algorithm that does
   * not fit the key is an error at startup.
   */
  readonly algorithms?: readonly string[];
  /** By how many seconds the clocks may differ. Default: 5. */
  readonly clockTolerance?: number;
  /** The required `typ` header of tokens, such as `at+jwt`. Default: any. */
  readonly type?: string;
  /** Reads the identity from the claims; null makes the token invalid. Default: `identityOfClaims`. */
  readonly identity?: (claims: JwtClaims) => Identity | null | Promise<Identity | null>;
  /** The permissions of each role, in addition to those that the token names. */
  readonly roles?: RolePermissions;
  /** Publishes where clients get tokens, and refers to it in `WWW-Authenticate` (RFC 9728). Default: nothing is published. */
  readonly protectedResource?: ProtectedResource;
};
