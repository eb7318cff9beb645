import { ServiceError } from '../errors/index.js';

/** Whether an error is of a message that is not a valid CloudEvent. */
export function isMalformed(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'SVC_MALFORMED_CLOUD_EVENT';
}

/** The error for a message that is not a valid CloudEvent. `why` never contains what the sender chose. */
export function malformedCloudEvent(what: string, why = 'it is missing or invalid', cause?: unknown): ServiceError {
  return new ServiceError(
    'SVC_MALFORMED_CLOUD_EVENT',
    `Cannot read a message: it is not a CloudEvent that svc accepts, because of its ${what}: ${why}. Fix its sender.`,
    { cause },
  );
}
