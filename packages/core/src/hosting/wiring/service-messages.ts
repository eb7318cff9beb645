import { registry as ownRegistry } from '../../generated/registry.js';
import { eventVersionOf, type MessageDescriptor } from '../../messages/index.js';
import { isSystemMessage } from '../../system-events/index.js';
import {
  interestsOf,
  namespaceOf,
  topicsOf,
  type TransportDescription,
  type WantedTopic,
} from '../../transport/index.js';
import type { ServiceRegistry } from '../service-registry.js';
import type { ServiceFoundation } from './foundation.js';

/** What a service sends to other hosts and accepts from them, for its AsyncAPI document. */
export interface ServiceMessages {
  readonly transport: TransportDescription;
  /** The name of this host; null: it has no inbox. */
  readonly hostName: string | null;
  /** The events that it publishes. */
  readonly published: readonly WantedTopic[];
  /** The events that it accepts. */
  readonly accepted: readonly WantedTopic[];
  /** The types of the commands that it accepts. */
  readonly commands: readonly string[];
  /** The generated schemas: of the service, of the libraries whose messages it uses, and of svc. */
  readonly schemas: readonly ServiceRegistry<never>['openapi'][];
  /** The version of an event. */
  readonly versionOf: (type: string) => number;
}

/** Null: the service has no transport, or one that no other program can reach. */
export function serviceMessages(foundation: ServiceFoundation): ServiceMessages | null {
  const { registry, registrations, messages, publishFilter } = foundation;
  const { transport, trust, foreignSchemas } = registrations;
  if (transport?.description === undefined) return null;
  const accepted = interestsOf(messages, publishFilter, (namespace) => trust.acceptsNamespace(namespace));
  const own = new Set(registry.messages);
  const isPublished = (message: MessageDescriptor): boolean => {
    if (message.kind === 'command' || !publishFilter.shouldPublishToTransport(message.class)) return false;
    if (isSystemMessage(message)) return registrations.systemEvents !== null;
    // Events of a library that come from other hosts are theirs.
    return own.has(message) || !trust.acceptsNamespace(namespaceOf(message.type));
  };
  return {
    transport: transport.description,
    hostName: transport.hostName ?? null,
    published: topicsOf([...messages.all].filter(isPublished)),
    accepted: accepted.flatMap(({ topics }) => topics),
    commands: [...trust.commands].map((command) => messages.ofClass(command).type),
    schemas: [registry.openapi, ...foreignSchemas, ownRegistry.openapi],
    versionOf: (type) => eventVersionOf(messages.ofType(type).class)?.version ?? 1,
  };
}
