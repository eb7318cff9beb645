import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/** A transport throws it for a message that it will never take, however often it is published. The message becomes a dead letter. */
export class MessageRefusedError extends ServiceError {
  readonly messageId: Uuid;
  readonly reason: 'TooLarge' | 'Refused';

  constructor(messageId: Uuid, reason: 'TooLarge' | 'Refused', options?: ErrorOptions) {
    const why = reason === 'TooLarge' ? 'it is too large' : 'it is not accepted';
    super('SVC_MESSAGE_REFUSED', `The transport does not take message ${messageId}: ${why}.`, options);
    this.messageId = messageId;
    this.reason = reason;
  }
}
