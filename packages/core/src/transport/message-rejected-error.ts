import { ServiceError, type ErrorCode } from '../errors/index.js';
import type { DeadLetterCause } from '../storage/index.js';

const codes = {
  UnprovenOrigin: 'SVC_ORIGIN_UNPROVEN',
  OriginNotAccepted: 'SVC_ORIGIN_NOT_ACCEPTED',
  TypeMismatch: 'SVC_TYPE_MISMATCH',
  SystemMessage: 'SVC_SYSTEM_MESSAGE',
  ClockAhead: 'SVC_CLOCK_AHEAD',
  Expired: 'SVC_COMMAND_EXPIRED',
} as const satisfies Partial<Record<DeadLetterCause, ErrorCode>>;

export type RejectionCause = keyof typeof codes;

/** The causes for which a message is rejected before anything of it is believed. */
export const rejectionCauses = Object.keys(codes) as readonly RejectionCause[];

/** A message from a broker is not let in, because of what it is or where it comes from. */
export class MessageRejectedError extends ServiceError {
  readonly rejectionCause: RejectionCause;

  constructor(cause: RejectionCause, message: string) {
    super(codes[cause], message);
    this.rejectionCause = cause;
  }
}

export function isRejection(cause: DeadLetterCause): cause is RejectionCause {
  return Object.hasOwn(codes, cause);
}
