import { environments } from '../platform/index.js';
import type { Slot } from './servers.js';
import type { HaproxySettings } from './settings.js';

/** The slots for instances, in the order of the settings. */
export function slotsOf(settings: HaproxySettings): readonly Slot[] {
  return environments.flatMap((environment) =>
    settings[environment].map((address, i) => ({ name: `${environment}-${i + 1}`, environment, address })),
  );
}
