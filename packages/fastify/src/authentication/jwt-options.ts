import type { KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import type { Identity, RolePermissions } from './identity.js';

/** The claims of a token whose signature, times, issuer and audience are right. */
export type JwtClaims = Readonly<Record<string, unknown>>;

/** What tokens are checked with: exactly one of the three. */
export type JwtKeySource =
  | {
      /** Where the issuer publishes its public keys. Fetched when the first token comes; `https:`, except on a loopback address. */
      readonly jwks: string | URL;
      readonly keySet?: KeySetOptions;
    }
  | {
      /** The issuer's public key: PEM, JWK or a key object. */
      readonly publicKey: string | JWK | KeyObject;
    }
  | {
      /** Shared with the issuer: at least 32 random bytes (48 for HS384, 64 for HS512). */
      readonly secret: string | Uint8Array;
    };

/** All in seconds. */
export interface KeySetOptions {
  /** How long to wait for the keys. Default: 5. */
  readonly timeout?: number;
  /** After the keys were fetched, how long an unknown key does not make them be fetched again. Default: 30. */
  readonly cooldown?: number;
  /** How long the keys are used without being fetched again. Default: 600. */
  readonly maxAge?: number;
}

export type JwtOptions = JwtKeySource & {
  /** Who may issue tokens: `iss` is one of these. False: anyone who has the key; only for a key that nobody else issues tokens with. */
  readonly issuer: string | readonly string[] | false;
  /** Whom tokens are for: `aud` names one of these. False: tokens for other services are taken, too. */
  readonly audience: string | readonly string[] | false;
  /**
   * Which algorithms tokens may be signed with. Default: what the kind of key implies; HS256 for a secret, every signature of a public
   * key that fits it otherwise. One that does not fit the key is refused when the service is put together.
   */
  readonly algorithms?: readonly string[];
  /** By how many seconds clocks may differ. Default: 5. */
  readonly clockTolerance?: number;
  /** What the `typ` header of tokens must say, such as `at+jwt`. Default: anything. */
  readonly type?: string;
  /** Whom the claims stand for. Default: `identityOfClaims`. Null: nobody, the token is not valid. */
  readonly identity?: (claims: JwtClaims) => Identity | null | Promise<Identity | null>;
  /** What each role may do, besides the permissions that the token itself names. */
  readonly roles?: RolePermissions;
};
