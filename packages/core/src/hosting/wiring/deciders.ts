import { snapshotOptionsOf, type NamedDecider, type StateSnapshots } from '../../deciders/index.js';
import { registry as core } from '../../generated/registry.js';
import type { DeciderDescriptor } from '../service-registry.js';
import type { ServiceFoundation } from './foundation.js';
import { stateVersion } from './model-version.js';

/** The deciders of a service, by class. With processes, those of core are included: one computes the history of instances. */
export function decidersOf(foundation: ServiceFoundation): ReadonlyMap<unknown, NamedDecider> {
  const { deciders = [], processes = [] } = foundation.registry;
  const ofCore = processes.length === 0 ? [] : core.deciders!;
  return new Map(
    [...ofCore, ...deciders].map((descriptor) => [
      descriptor.class,
      {
        name: descriptor.name,
        decider: descriptor.create(),
        events: new Set<unknown>(descriptor.events),
        snapshots: snapshotsOf(descriptor, foundation),
      },
    ]),
  );
}

/** Null without `@snapshot`. */
function snapshotsOf(
  { name, class: deciderClass, events, readState, writeState }: DeciderDescriptor,
  { registry, messages }: ServiceFoundation,
): StateSnapshots | null {
  const options = snapshotOptionsOf(deciderClass);
  if (options === null || readState === undefined || writeState === undefined) return null;
  const types = events.map((event) => messages.ofClass(event).type);
  const version = stateVersion(name, options.version, types, registry.openapi);
  return { every: options.every, version, readState, writeState };
}
