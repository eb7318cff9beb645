import { ServiceError } from '../errors/index.js';

/** Namespaces of events contain no colon, so an inbox is never confused with a topic. */
const prefix = 'inbox:';

/** The destination of commands for a host: its inbox. */
export function inboxOf(hostName: string): string {
  if (!/^[\w.-]{1,100}$/.test(hostName)) {
    throw new ServiceError(
      'SVC_INVALID_HOST_NAME',
      'Cannot send the command: the host name is invalid. Use the hostName of the other host\'s transport: 1 to 100 letters, digits, ".", "_" or "-".',
    );
  }
  return prefix + hostName;
}

/** The name of the host that an inbox belongs to; null if the destination is a topic. */
export function hostOfInbox(destination: string): string | null {
  return destination.startsWith(prefix) ? destination.slice(prefix.length) : null;
}
