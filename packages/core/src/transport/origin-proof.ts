import { isSignatureOf, type CheckedKey } from './message-keys.js';
import { signedText } from './signed-text.js';
import type { ReceivedMessage, Transport } from './transport.js';

/** The keys of each host, by their ids. */
export type HostKeys = ReadonlyMap<string, ReadonlyMap<string, CheckedKey>>;

/**
 * Decides whether a message comes from the host that it names. A host whose keys are known has to sign: then the word of the broker does not
 * count. Of any other host the transport has to prove the name.
 */
export class OriginProof {
  readonly #keys: HostKeys;
  readonly #transport: Pick<Transport, 'canProve'>;

  constructor(keys: HostKeys, transport: Pick<Transport, 'canProve'>) {
    this.#keys = keys;
    this.#transport = transport;
  }

  /** Whether a message of this host can ever be proven to be one. */
  canProve(hostName: string): boolean {
    return this.#keys.has(hostName) || this.#transport.canProve?.(hostName) === true;
  }

  /** Why the origin of a message is not proven, as part of a sentence; null when it is. */
  flawOf(message: ReceivedMessage): string | null {
    const keys = this.#keys.get(message.origin);
    if (keys !== undefined) return flawOfSignature(message, keys);
    const { provenOrigin, origin } = message;
    if (provenOrigin === origin) return null;
    return provenOrigin === null ? 'the transport cannot tell who sent it' : `its sender is ${shown(provenOrigin)}`;
  }
}

function flawOfSignature(message: ReceivedMessage, keys: ReadonlyMap<string, CheckedKey>): string | null {
  const { signature } = message;
  if (signature === null) return 'it is not signed';
  const key = keys.get(signature.keyId);
  if (key === undefined) return `it is signed with the key ${shown(signature.keyId)}, which is not one of that host`;
  return isSignatureOf(signedText(message), signature.value, key) ? null : 'its signature is not valid';
}

const longestShown = 100;

/** A name that the sender of a message has chosen, in quotes and bounded: it becomes part of errors and records. */
export function shown(name: string): string {
  return JSON.stringify(name.slice(0, longestShown).toWellFormed());
}
