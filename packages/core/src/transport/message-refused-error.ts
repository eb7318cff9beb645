import { ServiceError } from '../errors/index.js';
import type { Uuid } from '../json/index.js';

export interface RefusalOptions extends ErrorOptions {
  /** A sentence more, such as how large is too large. */
  readonly detail?: string | undefined;
}

type Reason = 'TooLarge' | 'Refused' | 'NoInbox';

const reasons: Readonly<Record<Reason, string>> = {
  TooLarge: 'it is too large',
  Refused: 'it is not accepted',
  NoInbox: 'the host it is for has never opened an inbox',
};

/** A transport throws it for messages that it will never take, however often they are published. They become dead letters. */
export class MessageRefusedError extends ServiceError {
  readonly messageIds: readonly Uuid[];
  readonly reason: Reason;

  constructor(messageIds: Uuid | readonly Uuid[], reason: Reason, options: RefusalOptions = {}) {
    const ids = typeof messageIds === 'string' ? [messageIds] : messageIds;
    const more = ids.length > 1 ? ` and ${ids.length - 1} more` : '';
    const detail = options.detail === undefined ? '' : ` ${options.detail}`;
    const text = `The transport does not take message ${ids[0]}${more}: ${reasons[reason]}.${detail}`;
    super('SVC_MESSAGE_REFUSED', text, options);
    this.messageIds = ids;
    this.reason = reason;
  }
}
