import { hostOfInbox } from '../messages/index.js';
import { attributesOf, signedAttributes } from './cloud-event.js';
import type { TransportMessage } from './transport.js';

/** Changes with the layout: a signature of one layout is never one of another. */
const layout = 'svc-message-signature-1';

/**
 * What the signature of a message covers, as netstrings in a fixed order: the layout, whether it is an event or a command, its destination,
 * its attributes and its body. It is made of the values that a receiver uses, not of the text they came as.
 */
export function signedText(message: TransportMessage): string {
  const { destination, body } = message;
  const attributes = attributesOf(message);
  const kind = hostOfInbox(destination) === null ? 'event' : 'command';
  let text = netstring(layout) + netstring(kind) + netstring(destination);
  for (const name of signedAttributes) text += netstring(attributes[name]);
  return text + netstring(body);
}

/** Its length in bytes stands before a text, so that no text can reach into the next. What is absent is not the same as what is empty. */
function netstring(text: string | undefined): string {
  return text === undefined ? '-,' : `${Buffer.byteLength(text)}:${text},`;
}
