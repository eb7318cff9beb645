import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

/** Options of `MessageUndeliverableError`. */
export interface UndeliverableOptions extends ErrorOptions {
  /** A further sentence, such as the maximum size. */
  readonly detail?: string | undefined;
}

type Reason = 'TooLarge' | 'Refused' | 'NoInbox';

const reasons: Readonly<Record<Reason, string>> = {
  TooLarge: 'it is too large',
  Refused: 'the broker does not accept it',
  NoInbox: 'its destination host has never opened an inbox',
};

/** A transport throws it for messages that it permanently rejects. They become dead letters. */
export class MessageUndeliverableError extends ServiceError {
  readonly messageIds: readonly Uuid[];
  readonly reason: Reason;

  constructor(messageIds: Uuid | readonly Uuid[], reason: Reason, options: UndeliverableOptions = {}) {
    const ids = typeof messageIds === 'string' ? [messageIds] : messageIds;
    const more = ids.length > 1 ? ` and ${ids.length - 1} more` : '';
    const detail = options.detail === undefined ? '' : ` ${options.detail}`;
    const text = `The transport rejects message ${ids[0]}${more}: ${reasons[reason]}.${detail}`;
    super('SVC_MESSAGE_REFUSED', text, options);
    this.messageIds = ids;
    this.reason = reason;
  }
}
