import { createService, type Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { registry } from './generated/registry.js';

/** The service as production and tests have it in common. */
export function newService(storage: Storage): Service {
  return createService(registry)
    .useStorage(storage)
    .addSystemEventAuditing((events) => events.enableAll())
    .addServicePerspectives()
    .addServiceReactions();
}
