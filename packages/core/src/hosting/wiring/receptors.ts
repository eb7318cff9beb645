import { secretInStoredCommand, type NamedReceptor } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import type { MessageClass, MessageDescriptor, MessageRegistry } from '../../messages/index.js';
import type { Transport } from '../../transport/index.js';

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

export function requireReceptors(
  messages: readonly MessageDescriptor[],
  receptors: ReadonlyMap<unknown, NamedReceptor>,
): void {
  const commands = messages.filter(({ kind }) => kind === 'command').map((message) => message.class);
  requireReceptorsOf(commands.filter((command) => !receptors.has(command)));
}

/** Checks what receiving commands from other hosts requires. */
export function requireInbox(
  accepted: ReadonlySet<MessageClass>,
  receptors: ReadonlyMap<unknown, NamedReceptor>,
  transport: Transport | null,
  messages: MessageRegistry,
): void {
  requireReceptorsOf([...accepted].filter((command) => !receptors.has(command)));
  const secretive = [...accepted].find((command) => messages.find(command)?.hasSecrets === true);
  if (secretive !== undefined) throw secretInStoredCommand(`accept ${secretive.name} from other hosts`);
  if (transport?.openInbox !== undefined && transport.hostName !== undefined) return;
  throw new ServiceError(
    'SVC_INBOX_UNSUPPORTED',
    'The service accepts commands of other hosts, but no transport receives them. Call useTransport with one that does, such as rabbitMqTransport.',
  );
}

function requireReceptorsOf(without: readonly MessageClass[]): void {
  if (without.length === 0) return;
  const names = without.map(({ name }) => name).join(', ');
  throw new ServiceError(
    'SVC_COMMAND_WITHOUT_RECEPTOR',
    `No receptor for ${names}. Write a class that implements Receptor for each and run svc generate, or use addReceptor.`,
  );
}
