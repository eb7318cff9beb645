/** The records of commands that a receptor sends or schedules. The command is serialized at once: the receptor may change it afterwards. */
import { ServiceError } from '../errors/index.js';
import {
  inboxOf,
  wrap,
  type MessageEnvelope,
  type MessageRegistry,
  type TransportPublishFilter,
} from '../messages/index.js';
import { scopeForLater } from '../security/index.js';
import {
  tenantOfCommand,
  type MessageRecord,
  type OutgoingRecord,
  type ScheduledRecord,
  type ScheduleKey,
} from '../storage/index.js';
import { missingReceptor } from './missing-receptor.js';
import type { NamedReceptor } from './receptor.js';
import { dueTimeOf, scheduleKeyOf, type ScheduleOptions } from './schedule-options.js';

/** What a dispatcher knows about sending commands. */
export interface SendingParts {
  readonly messages: MessageRegistry;
  readonly receptors: ReadonlyMap<unknown, NamedReceptor>;
  readonly sendsCommands: boolean;
  readonly schedulesCommands: boolean;
  readonly publishFilter: TransportPublishFilter | null;
}

export function outgoingCommand(
  command: object,
  hostName: string,
  cause: MessageEnvelope,
  { messages, sendsCommands, publishFilter }: SendingParts,
): OutgoingRecord {
  const { type, kind, hasSecrets } = messages.of(command);
  if (kind !== 'command') throw notACommand('send', type);
  if (hasSecrets === true) throw secretInStoredCommand(`send ${type}`);
  if (!sendsCommands) {
    throw new ServiceError(
      'SVC_INBOX_UNSUPPORTED',
      `Cannot send ${type}: no transport supports commands. Call useTransport with one that does, such as rabbitMqTransport.`,
    );
  }
  // Dropped without an error, the command would be lost.
  if (publishFilter?.shouldPublishToTransport(command) === false) {
    throw new ServiceError(
      'SVC_COMMAND_FILTERED',
      `Cannot send ${type} to ${hostName}: a transport publish filter rejects it. Change the filter, or do not send the command.`,
    );
  }
  const message = messageOf(command, cause, messages);
  return { id: message.id, lane: 'transport', destination: inboxOf(hostName), message, note: null, eventId: null };
}

export function scheduledCommand(
  command: object,
  options: ScheduleOptions,
  cause: MessageEnvelope,
  { messages, receptors, schedulesCommands }: SendingParts,
): ScheduledRecord {
  const { type, kind, hasSecrets } = messages.of(command);
  if (kind !== 'command') throw notACommand('schedule', type);
  if (hasSecrets === true) throw secretInStoredCommand(`send or schedule ${type}`);
  if (!receptors.has(command.constructor)) return missingReceptor(command, messages);
  if (!schedulesCommands) throw unsupported(`schedule ${type}`);
  const key = options.key === undefined ? null : scheduleKeyOf(options.key);
  const due = dueTimeOf(options);
  const message = messageOf(command, cause, messages);
  const isLater = 'at' in due || due.afterMs > 0;
  return { due, key, message: isLater ? { ...message, scope: scopeForLater(message.scope) } : message };
}

/** The key of a command to cancel: that of the tenant of `cause`. */
export function cancelledKey(
  key: string,
  cause: MessageEnvelope,
  { schedulesCommands }: Pick<SendingParts, 'schedulesCommands'>,
): ScheduleKey {
  if (!schedulesCommands) throw unsupported('cancel a scheduled command');
  return { tenant: tenantOfCommand(cause), key: scheduleKeyOf(key) };
}

function messageOf(command: object, cause: MessageEnvelope, messages: MessageRegistry): MessageRecord {
  const { type } = messages.of(command);
  const { id, timestamp, correlationId, causationId, scope, metadata } = wrap(type, command, { cause });
  const body = messages.write(command);
  return { id, type, body, timestamp: timestamp.getTime(), correlationId, causationId, scope, metadata };
}

function unsupported(what: string): ServiceError {
  return new ServiceError(
    'SVC_SCHEDULE_UNSUPPORTED',
    `Cannot ${what}: the storage stores no scheduled commands. Use one with the capability "schedule", such as postgres or sqlite.`,
  );
}

/** A command with a secret cannot wait in a database or a broker: it would be stored there, or lose its secret. */
export function secretInStoredCommand(what: string): ServiceError {
  return new ServiceError(
    'SVC_SECRET_IN_STORED_COMMAND',
    `Cannot ${what}: it has a Secret, and commands that wait for their execution are stored. Call invoke, or replace the secret with a reference to it.`,
  );
}

function notACommand(verb: string, type: string): ServiceError {
  return new ServiceError(
    'SVC_UNKNOWN_MESSAGE',
    `Cannot ${verb} ${type}: it is not a command. Append events to a stream instead.`,
  );
}
