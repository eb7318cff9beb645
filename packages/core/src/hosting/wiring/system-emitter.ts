import { registry as ownRegistry } from '../../generated/registry.js';
import { MessageRegistry } from '../../messages/index.js';
import { EventLog, type Storage } from '../../storage/index.js';
import {
  AuditPolicy,
  OutboxSystemEventEmitter,
  SystemEventOptions,
  type SystemEventEmitter,
} from '../../system-events/index.js';

/**
 * Returns an emitter for tools that change a storage without a running service: their events wait in the outbox until the next service delivers
 * them to the system stream.
 */
export function systemEmitter(storage: Storage): SystemEventEmitter {
  const messages = new MessageRegistry(ownRegistry.messages);
  const options = new SystemEventOptions();
  const log = new EventLog(storage, messages);
  return new OutboxSystemEventEmitter(log, messages, new AuditPolicy(options, messages), options);
}
