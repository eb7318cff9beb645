import { ServiceError } from '@svc/core';

/** What went wrong with the broker, as an error of svc. The client's errors name neither user nor password. */
export function failureOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (/inequivalent arg|RESOURCE[_-]LOCKED/.test(text)) {
    return misconfigured(
      `has something else under a name that this host needs: ${text}. Remove it once it is empty, or choose another hostName or prefix.`,
      error,
    );
  }
  // Without the text, which has the names of both users.
  if (/user_id property set to/.test(text)) {
    return misconfigured(
      'does not let this host name its user in messages: the connection is that of another user. Set userId to the user that the broker knows this host by, or to null.',
      error,
    );
  }
  // The last is what the client makes of a virtual host that is not there, or not for this user.
  if (/ACCESS[_-]REFUSED|NOT[_-]ALLOWED|got <ConnectionClose/.test(text)) {
    return misconfigured(
      `does not let this host in: ${text}. Check user, password, virtual host and permissions.`,
      error,
    );
  }
  // The client threw before anything was sent: a name is too long, or a setting is none that a socket takes.
  if (error instanceof TypeError || error instanceof RangeError) {
    return misconfigured(`cannot be told what this host needs: ${text}.`, error);
  }
  if (/message nacked/.test(text)) return destinationUnavailable(error);
  // It is there, and has ended a channel for a reason.
  if (text.startsWith('Channel closed by server')) return unavailable(`gave up a channel (${text})`, error);
  return unavailable(`cannot be reached (${text})`, error);
}

export function unavailable(what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'SVC_TRANSPORT_UNAVAILABLE',
    `RabbitMQ ${what}. What is for other hosts waits, and it is tried again.`,
    { cause },
  );
}

/** The broker has rejected a message for the sake of one of the queues that it is for. */
function destinationUnavailable(cause: unknown): ServiceError {
  return new ServiceError(
    'SVC_DESTINATION_UNAVAILABLE',
    'RabbitMQ did not take a message: a queue is full, or cannot be written. What is for its topic waits, and it is tried again.',
    { cause },
  );
}

export function closed(): ServiceError {
  return new ServiceError('SVC_TRANSPORT_CLOSED', 'The transport over RabbitMQ is closed. Make a new one.');
}

/**
 * Whether a channel or connection was used that has ended. One can end before anybody listens for it: when the broker's last words
 * come together with its answer.
 */
export function hasEnded(error: unknown): boolean {
  return error instanceof Error && error.name === 'IllegalOperationError';
}

/** Whether trying again would not help. */
export function isMisconfigured({ code }: ServiceError): boolean {
  return code === 'SVC_TRANSPORT_MISCONFIGURED';
}

function misconfigured(what: string, cause: unknown): ServiceError {
  return new ServiceError('SVC_TRANSPORT_MISCONFIGURED', `RabbitMQ ${what}`, { cause });
}
