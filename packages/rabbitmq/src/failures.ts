import { ServiceError } from '@svc/core';

/** Converts failures of the broker to errors of svc. The client's errors contain neither user nor password. */
export function failureOf(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (/inequivalent arg|RESOURCE[_-]LOCKED/.test(text)) {
    return misconfigured(
      `has an exchange or queue with another configuration than this host needs: ${text}. Delete it once it is empty, or choose another hostName or prefix.`,
      error,
    );
  }
  // Without the text, which contains the names of both users.
  if (/user_id property set to/.test(text)) {
    return misconfigured(
      'rejects the userId of this host, because the connection belongs to another user. Set userId to the user of the connection, or to null.',
      error,
    );
  }
  // The last text is what the client reports for a virtual host that does not exist or that the user may not access.
  if (/ACCESS[_-]REFUSED|NOT[_-]ALLOWED|got <ConnectionClose/.test(text)) {
    return misconfigured(
      `denies access to this host: ${text}. Check user, password, virtual host and permissions.`,
      error,
    );
  }
  // The client threw before sending anything: a name is too long, or a socket option is invalid.
  if (error instanceof TypeError || error instanceof RangeError) {
    return misconfigured(
      `cannot be used with these names or socket options: ${text}. Check hostName, prefix and the socket options.`,
      error,
    );
  }
  if (/message nacked/.test(text)) return destinationUnavailable(error);
  // The broker is reachable and closed a channel for a reason.
  if (text.startsWith('Channel closed by server')) return unavailable(`closed a channel (${text})`, error);
  return unavailable(`is unreachable (${text})`, error);
}

export function unavailable(what: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'SVC_TRANSPORT_UNAVAILABLE',
    `RabbitMQ ${what}. Messages for other hosts wait in the outbox and are retried.`,
    { cause },
  );
}

/** The broker rejected a message because of one of its queues. */
function destinationUnavailable(cause: unknown): ServiceError {
  return new ServiceError(
    'SVC_DESTINATION_UNAVAILABLE',
    'RabbitMQ rejected a message, because a queue is full or not writable. Messages for its topic wait in the outbox and are retried.',
    { cause },
  );
}

export function closed(): ServiceError {
  return new ServiceError('SVC_TRANSPORT_CLOSED', 'The RabbitMQ transport is closed. Create a new one.');
}

/** Whether a closed channel or connection was used. It may close before a listener is attached. */
export function hasEnded(error: unknown): boolean {
  return error instanceof Error && error.name === 'IllegalOperationError';
}

/** Whether retrying would not help. */
export function isMisconfigured({ code }: ServiceError): boolean {
  return code === 'SVC_TRANSPORT_MISCONFIGURED';
}

function misconfigured(what: string, cause: unknown): ServiceError {
  return new ServiceError('SVC_TRANSPORT_MISCONFIGURED', `RabbitMQ ${what}`, { cause });
}
