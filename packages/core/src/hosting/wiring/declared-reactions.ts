import { ServiceError } from '../../errors/index.js';
import { reactionSettingsOf, type NamedReaction } from '../../reactions/index.js';
import type { HostParts } from '../service-registry.js';
import type { ServiceFoundation } from './foundation.js';

/** Creates the registered reactions, each once. Throws if two have the same name. */
export function declaredReactions(
  { registry, services, registrations }: ServiceFoundation,
  host: HostParts,
): readonly NamedReaction[] {
  const found = registrations.reactions ? (registry.reactions ?? []) : [];
  const classes = new Map<string, string>();
  return found.map(({ name: className, class: reactionClass, events, create }) => {
    const settings = reactionSettingsOf(reactionClass);
    const name = settings.name ?? className;
    const other = classes.get(name);
    if (other !== undefined) {
      throw new ServiceError(
        'SVC_DUPLICATE_REACTION',
        `${other} and ${className} have the same reaction name "${name}". Their progress is stored under it: rename one of them.`,
      );
    }
    classes.set(name, className);
    return { name, events, settings, reaction: create(host, services as never) };
  });
}
