import { ServiceError } from '../errors/index.js';
import { cloudEventIdKey, hostOfInbox, newId, replacesKey, type MessageRegistry } from '../messages/index.js';
import type { SecurityContext } from '../security/index.js';
import type { DeadLetterRecord, EventRecord } from '../storage/index.js';
import { editedScope } from './received-scope.js';

/** Whether an operator can replace the message of a dead letter: an outgoing event is in the log, which does not change. */
export function isEditable(letter: DeadLetterRecord): boolean {
  return letter.direction !== 'outgoing' || !isEvent(letter);
}

/** Whether the message of a dead letter is an event; otherwise it is a command. */
export function isEvent({ direction, destination }: DeadLetterRecord): boolean {
  return direction !== 'scheduled' && hostOfInbox(destination) === null;
}

/**
 * The message that replaces that of a dead letter: with another body, its own id, and the operator as its author (decision 0128). An event, and a
 * command for another host, name the replaced message in their metadata.
 */
export function editedMessage(
  letter: DeadLetterRecord,
  body: string,
  operator: SecurityContext | null,
  messages: MessageRegistry,
): EventRecord {
  const { message } = letter;
  if (!isEditable(letter)) throw immutable(letter);
  // Stored events have encrypted values. An operator would store those that it writes as they are.
  if (isEvent(letter) && messages.ofType(message.type).hasPersonal === true) throw personal(letter);
  const id = newId();
  const { [cloudEventIdKey]: _, ...metadata } = message.metadata;
  return {
    ...message,
    id,
    streamId: isEvent(letter) ? message.streamId : id,
    body,
    timestamp: Date.now(),
    scope: editedScope(message.scope, operator),
    metadata: { ...metadata, [replacesKey]: message.id },
  };
}

function immutable({ id, message }: DeadLetterRecord): ServiceError {
  return notEditable(
    `Cannot edit the dead letter ${id}: ${message.type} is an event of this service, and stored events do not change. Replay it, or append an event that corrects it.`,
  );
}

function personal({ id, message }: DeadLetterRecord): ServiceError {
  return notEditable(
    `Cannot edit the dead letter ${id}: ${message.type} has personal data, whose encrypted values cannot be edited. Replay it, or ask its sender for a corrected event.`,
  );
}

function notEditable(text: string): ServiceError {
  return new ServiceError('SVC_DEAD_LETTER_NOT_EDITABLE', text);
}
