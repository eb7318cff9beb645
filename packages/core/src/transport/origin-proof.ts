import { isSignatureOf, type CheckedKey } from './message-keys.js';
import { signedText } from './signed-text.js';
import type { ReceivedMessage, Transport } from './transport.js';

/** The keys of each host, by their ids. */
export type HostKeys = ReadonlyMap<string, ReadonlyMap<string, CheckedKey>>;

/**
 * Decides whether a message comes from the host that it names. If the keys of that host are known, its signature must prove it, and the
 * broker's proof does not count. Otherwise the transport must prove it.
 */
export class OriginProof {
  readonly #keys: HostKeys;
  readonly #transport: Pick<Transport, 'canProve'>;

  constructor(keys: HostKeys, transport: Pick<Transport, 'canProve'>) {
    this.#keys = keys;
    this.#transport = transport;
  }

  /** Whether the origin of messages of a host can be proven. */
  canProve(hostName: string): boolean {
    return this.#keys.has(hostName) || this.#transport.canProve?.(hostName) === true;
  }

  /** Why the origin of a message is not proven, as part of a sentence; null if it is. */
  flawOf(message: ReceivedMessage): string | null {
    const keys = this.#keys.get(message.origin);
    if (keys !== undefined) return flawOfSignature(message, keys);
    const { provenOrigin, origin } = message;
    if (provenOrigin === origin) return null;
    return provenOrigin === null ? 'the transport cannot prove its sender' : `its sender is ${shown(provenOrigin)}`;
  }
}

function flawOfSignature(message: ReceivedMessage, keys: ReadonlyMap<string, CheckedKey>): string | null {
  const { signature } = message;
  if (signature === null) return 'it is not signed';
  const key = keys.get(signature.keyId);
  if (key === undefined)
    return `it is signed with the key ${shown(signature.keyId)}, which does not belong to that host`;
  return isSignatureOf(signedText(message), signature.value, key) ? null : 'its signature is not valid';
}

const longestShown = 100;

/** Quotes and truncates a name that a sender chose, for errors and records. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(0, longestShown).toWellFormed());
}
