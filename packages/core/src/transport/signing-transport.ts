import { around } from '../storage/index.js';
import { signatureOf, type CheckedKey } from './message-keys.js';
import { signedText } from './signed-text.js';
import type { PublishedMessage, Transport } from './transport.js';

/** Wraps a transport, and signs each published message. It must be the innermost wrapper: later changes would break the signature. */
export function signingTransport(inner: Transport, key: CheckedKey): Transport {
  const signed = (message: PublishedMessage): PublishedMessage => ({
    ...message,
    signature: { keyId: key.id, value: signatureOf(signedText(message), key) },
  });
  return around(inner, { publish: (messages) => inner.publish(messages.map(signed)) });
}
