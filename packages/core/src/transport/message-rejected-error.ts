import { ServiceError, type ErrorCode } from '../errors/index.js';
import type { DeadLetterCause } from '../storage/index.js';

const codes = {
  UnprovenOrigin: 'SVC_ORIGIN_UNPROVEN',
  OriginNotAccepted: 'SVC_ORIGIN_NOT_ACCEPTED',
  TypeMismatch: 'SVC_TYPE_MISMATCH',
  SystemMessage: 'SVC_SYSTEM_MESSAGE',
  ClockAhead: 'SVC_CLOCK_AHEAD',
  Expired: 'SVC_COMMAND_EXPIRED',
  UnknownTenant: 'SVC_UNKNOWN_TENANT',
} as const satisfies Partial<Record<DeadLetterCause, ErrorCode>>;

/** Why this host rejects a message from a broker. */
export type RejectionCause = keyof typeof codes;

/** All causes for which a message is rejected before its content is trusted. */
export const rejectionCauses = Object.keys(codes) as readonly RejectionCause[];

/** This host rejects a message from a broker because of its type, age, origin or tenant. */
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
