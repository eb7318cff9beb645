import type { MessageDescriptor } from '../messages/index.js';

/** The namespace of the messages of svc itself. */
export const systemNamespace = 'svc.';

/**
 * Whether a message is a system event: its class has the marker, or svc itself declares it. Perspective and migration events have only the
 * marker `Event`, but are not part of the application's domain.
 */
export function isSystemMessage(message: MessageDescriptor | undefined): boolean {
  return message !== undefined && (message.kind === 'systemEvent' || message.type.startsWith(systemNamespace));
}
