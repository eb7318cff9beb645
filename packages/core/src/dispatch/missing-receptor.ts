import { ServiceError } from '../errors/index.js';
import type { MessageRegistry } from '../messages/index.js';

/** Throws because a command has no receptor in this service. */
export function missingReceptor(command: object, messages: MessageRegistry): never {
  const { type } = messages.of(command);
  throw new ServiceError(
    'SVC_COMMAND_WITHOUT_RECEPTOR',
    `Cannot invoke ${type}: it has no receptor. Write a class that implements Receptor for it, then run "svc generate".`,
  );
}
