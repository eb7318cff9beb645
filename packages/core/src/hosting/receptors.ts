import type { NamedReceptor } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import type { MessageClass, MessageRegistry } from '../messages/index.js';

export function addReceptor(
  receptors: Map<unknown, NamedReceptor>,
  command: MessageClass,
  receptor: NamedReceptor,
): void {
  const other = receptors.get(command);
  if (other !== undefined) {
    throw new ServiceError(
      'SVC_DUPLICATE_RECEPTOR',
      `${command.name} has two receptors, ${other.name} and ${receptor.name}. A command has exactly one.`,
    );
  }
  receptors.set(command, receptor);
}

export function requireReceptors(messages: MessageRegistry, receptors: ReadonlyMap<unknown, NamedReceptor>): void {
  const without = [...messages.all].filter((message) => message.kind === 'command' && !receptors.has(message.class));
  if (without.length === 0) return;
  const names = without.map((message) => message.class.name).join(', ');
  throw new ServiceError(
    'SVC_COMMAND_WITHOUT_RECEPTOR',
    `No receptor for ${names}. Write a class that implements Receptor for each and run svc generate, or use addReceptor.`,
  );
}
