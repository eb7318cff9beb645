import { withoutMarks } from '../../json/index.js';
import { startReaction } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import type { Event } from '../../messages/index.js';
import { startProcess } from '../../processes/index.js';
import { reactionSettingsOf, settingsOf, type NamedReaction } from '../../reactions/index.js';
import type { HostParts } from '../service-registry.js';
import type { ServiceFoundation } from './foundation.js';

/** Creates the registered reactions and processes, each once. Throws if two have the same name. */
export function declaredReactions(foundation: ServiceFoundation, host: HostParts): readonly NamedReaction[] {
  const declarations = new Map<string, string>();
  return [...generated(foundation, host), ...added(foundation)].map(
    ({ declaration, events, settings, start, isProcess }) => {
      const name = settings.name ?? declaration;
      const other = declarations.get(name);
      if (other !== undefined) {
        throw new ServiceError(
          'SVC_DUPLICATE_REACTION',
          `${other} and ${declaration} have the same name "${name}". The progress of reactions and processes is stored under it: rename one of them.`,
        );
      }
      declarations.set(name, declaration);
      return { name, events, settings, start, isProcess };
    },
  );
}

interface Declared extends Omit<NamedReaction, 'name'> {
  /** What declares it: its class, or its name. */
  readonly declaration: string;
}

function generated({ registry, services, registrations }: ServiceFoundation, host: HostParts): readonly Declared[] {
  if (registrations.reactions !== true) return [];
  const { reactions = [], processes = [] } = registry;
  const found = [
    ...reactions.map((one) => ({ one, start: startReaction(one.create(host, services as never)), isProcess: false })),
    ...processes.map((one) => ({ one, start: startProcess(one.create(host, services as never)), isProcess: true })),
  ];
  return found.map(({ one: { name, class: declaredClass, events }, start, isProcess }) => ({
    declaration: name,
    events,
    settings: reactionSettingsOf(declaredClass),
    start,
    isProcess,
  }));
}

function added({ registrations, messages }: ServiceFoundation): readonly Declared[] {
  // A webhook has the plain values.
  const write = (event: Event): string => withoutMarks(messages.of(event).write(event));
  return registrations.addedReactions.map(({ events, create, ...options }) => {
    // An event that is not registered would never arrive.
    for (const event of events) messages.ofClass(event);
    const start = startReaction(create(write));
    return { declaration: options.name, events, settings: settingsOf(options), start, isProcess: false };
  });
}
