import { environments } from '../platform/index.js';
import type { Slot } from './servers.js';
import type { HaproxySettings } from './settings.js';

/** The places for instances, as the settings list them. */
export function slotsOf(settings: HaproxySettings): readonly Slot[] {
  return environments.flatMap((environment) =>
    settings[environment].map((address, i) => ({ name: `${environment}-${i + 1}`, environment, address })),
  );
}
