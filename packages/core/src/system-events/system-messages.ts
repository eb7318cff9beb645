import type { MessageDescriptor } from '../messages/index.js';

/** The namespace of the service's own messages. */
export const systemNamespace = 'svc.';

/**
 * Whether a message is one of the system's: of a type marked as a system event, or one of the service's own. Perspective and
 * migration events carry the plain marker, and yet say nothing of the application's domain: they stay at home like the others.
 */
export function isSystemMessage(message: MessageDescriptor | undefined): boolean {
  return message !== undefined && (message.kind === 'systemEvent' || message.type.startsWith(systemNamespace));
}
