import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/** A message was delivered or received before: by another host, or by this one, whose answer got lost. Nothing is left to do. */
export class MessageSettledError extends ServiceError {
  readonly messageId: Uuid;

  constructor(messageId: Uuid) {
    super('SVC_MESSAGE_SETTLED', `The message ${messageId} has been delivered or received already.`);
    this.messageId = messageId;
  }
}
