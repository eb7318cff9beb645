import type { KeyObject } from 'node:crypto';
import type { CryptoKey, JWTVerifyGetKey } from 'jose';

/** A key, and until when a token that it verified may be used without another check, in milliseconds since 1970. */
export interface FoundKey {
  readonly key: CryptoKey | KeyObject | Uint8Array;
  readonly usableUntil: number;
}

/** Finds the key of a token. */
export type FindKey = (...token: Parameters<JWTVerifyGetKey>) => Promise<FoundKey>;
