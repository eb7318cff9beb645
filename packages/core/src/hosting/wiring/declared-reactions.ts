import type { Reaction } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import type { Event, MessageClass } from '../../messages/index.js';
import { reactionSettingsOf, settingsOf, type NamedReaction, type ReactionSettings } from '../../reactions/index.js';
import type { HostParts } from '../service-registry.js';
import type { ServiceFoundation } from './foundation.js';

/** Creates the registered reactions, each once. Throws if two have the same name. */
export function declaredReactions(foundation: ServiceFoundation, host: HostParts): readonly NamedReaction[] {
  const declarations = new Map<string, string>();
  return [...generated(foundation, host), ...added(foundation)].map(({ declaration, events, settings, create }) => {
    const name = settings.name ?? declaration;
    const other = declarations.get(name);
    if (other !== undefined) {
      throw new ServiceError(
        'SVC_DUPLICATE_REACTION',
        `${other} and ${declaration} have the same reaction name "${name}". Their progress is stored under it: rename one of them.`,
      );
    }
    declarations.set(name, declaration);
    return { name, events, settings, reaction: create() };
  });
}

interface Declared {
  /** What declares it: its class, or its name. */
  readonly declaration: string;
  readonly events: readonly MessageClass[];
  readonly settings: ReactionSettings;
  readonly create: () => Reaction<Event>;
}

function generated({ registry, services, registrations }: ServiceFoundation, host: HostParts): readonly Declared[] {
  const found = registrations.reactions ? (registry.reactions ?? []) : [];
  return found.map(({ name, class: reactionClass, events, create }) => ({
    declaration: name,
    events,
    settings: reactionSettingsOf(reactionClass),
    create: () => create(host, services as never),
  }));
}

function added({ registrations, messages }: ServiceFoundation): readonly Declared[] {
  const write = (event: Event): string => messages.of(event).write(event);
  return registrations.addedReactions.map(({ events, create, ...options }) => {
    // An event that is not registered would never arrive.
    for (const event of events) messages.ofClass(event);
    return { declaration: options.name, events, settings: settingsOf(options), create: () => create(write) };
  });
}
