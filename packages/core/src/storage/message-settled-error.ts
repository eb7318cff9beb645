import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/** A message was already delivered or received: by another host, or by this one, which lost the response. Nothing is left to do. */
export class MessageSettledError extends ServiceError {
  readonly messageId: Uuid;

  constructor(messageId: Uuid) {
    super('SVC_MESSAGE_SETTLED', `The message ${messageId} has been delivered or received already.`);
    this.messageId = messageId;
  }
}
