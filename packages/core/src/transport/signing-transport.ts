import { around } from '../storage/index.js';
import { signatureOf, type CheckedKey } from './message-keys.js';
import { signedText } from './signed-text.js';
import type { PublishedMessage, Transport } from './transport.js';

/** The transport, with all that leaves over it signed. It has to be the innermost: what is changed after it is not what was signed. */
export function signingTransport(inner: Transport, key: CheckedKey): Transport {
  const signed = (message: PublishedMessage): PublishedMessage => ({
    ...message,
    signature: { keyId: key.id, value: signatureOf(signedText(message), key) },
  });
  return around(inner, { publish: (messages) => inner.publish(messages.map(signed)) });
}
