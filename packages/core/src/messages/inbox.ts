import { ServiceError } from '../errors/index.js';

/** No namespace of events has a colon: an inbox is never mistaken for a topic. */
const prefix = 'inbox:';

/** The destination of commands for a host. */
export function inboxOf(hostName: string): string {
  if (!/^[\w.-]{1,100}$/.test(hostName)) {
    throw new ServiceError(
      'SVC_INVALID_HOST_NAME',
      'A command can be sent to a host by its name alone: 1 to 100 letters, digits, ".", "_" or "-", as its transport has it.',
    );
  }
  return prefix + hostName;
}

/** The host whose inbox a destination is; null for a topic. */
export function hostOfInbox(destination: string): string | null {
  return destination.startsWith(prefix) ? destination.slice(prefix.length) : null;
}
