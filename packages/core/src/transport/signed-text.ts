import { hostOfInbox } from '../messages/index.js';
import { attributesOf, signedAttributes } from './cloud-event.js';
import type { TransportMessage } from './transport.js';

/** Changes with the layout, so that a signature of one layout is never valid for another. */
const layout = 'svc-message-signature-1';

/**
 * The text that a signature covers: layout, event or command, destination, attributes and body as netstrings in a fixed order. It is built
 * from the values that a receiver uses, not from the received text.
 */
export function signedText(message: TransportMessage): string {
  const { destination, body } = message;
  const attributes = attributesOf(message);
  const kind = hostOfInbox(destination) === null ? 'event' : 'command';
  let text = netstring(layout) + netstring(kind) + netstring(destination);
  for (const name of signedAttributes) text += netstring(attributes[name]);
  return text + netstring(body);
}

/** Prefixes a text with its length in bytes, so that no text can extend into the next. Absent and empty differ. */
function netstring(text: string | undefined): string {
  return text === undefined ? '-,' : `${Buffer.byteLength(text)}:${text},`;
}
