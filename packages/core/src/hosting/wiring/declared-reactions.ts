import { startReaction } from '../../dispatch/index.js';
import { ServiceError } from '../../errors/index.js';
import { startProcess } from '../../processes/index.js';
import { reactionSettingsOf, type NamedReaction } from '../../reactions/index.js';
import type { HostParts } from '../service-registry.js';
import type { ServiceFoundation } from './foundation.js';

/** Creates the registered reactions and processes, each once. Throws if two have the same name. */
export function declaredReactions(
  { registry, services, registrations }: ServiceFoundation,
  host: HostParts,
): readonly NamedReaction[] {
  if (!registrations.reactions) return [];
  const { reactions = [], processes = [] } = registry;
  const declared = [
    ...reactions.map((one) => ({ one, start: startReaction(one.create(host, services as never)), isProcess: false })),
    ...processes.map((one) => ({ one, start: startProcess(one.create(host, services as never)), isProcess: true })),
  ];
  const classes = new Map<string, string>();
  return declared.map(({ one: { name: className, class: declaredClass, events }, start, isProcess }) => {
    const settings = reactionSettingsOf(declaredClass);
    const name = settings.name ?? className;
    const other = classes.get(name);
    if (other !== undefined) {
      throw new ServiceError(
        'SVC_DUPLICATE_REACTION',
        `${other} and ${className} have the same name "${name}". The progress of reactions and processes is stored under it: rename one of them.`,
      );
    }
    classes.set(name, className);
    return { name, events, settings, start, isProcess };
  });
}
