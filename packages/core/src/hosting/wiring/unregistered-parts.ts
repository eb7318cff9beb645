import { ServiceError, withoutStack } from '../../errors/index.js';
import type { ServiceFoundation } from './foundation.js';

/** Reports generated perspectives and reactions that the service neither registers nor omits: without a report, their routes and effects are missing. */
export function reportUnregistered({ registry, registrations, reportOf }: ServiceFoundation): void {
  const { perspectives = [], reactions = [], processes = [] } = registry;
  if (registrations.perspectives === null && perspectives.length > 0) {
    reportOf('perspectives')(
      notRegistered(perspectives, 'builds no models and has none of their routes and queries', 'ServicePerspectives'),
    );
  }
  if (registrations.reactions === null && reactions.length + processes.length > 0) {
    reportOf('reactions')(notRegistered([...reactions, ...processes], 'does not run them', 'ServiceReactions'));
  }
}

function notRegistered(parts: readonly { readonly name: string }[], effect: string, call: string): ServiceError {
  const names = parts.map(({ name }) => name).join(', ');
  return withoutStack(
    new ServiceError(
      'SVC_NOT_REGISTERED',
      `svc generate found ${names}, but the service does not register them, so this host ${effect}. Call add${call}(), or omit${call}() on a host that must not have them.`,
    ),
  );
}
