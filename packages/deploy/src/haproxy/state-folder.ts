import { join } from 'node:path';
import { StateFile } from '../state-file.js';
import { forcedMap, forcedMapText } from './haproxy-config.js';
import type { HaproxySettings } from './settings.js';

/** Creates the files in `state` that HAProxy reads at its start. Existing files stay: a canary may be running. */
export async function createStateFolder(service: string, settings: HaproxySettings): Promise<void> {
  await new StateFile(forcedMap(settings)).create(forcedMapText(service));
  // The first line is the format version. HAProxy warns if it is missing.
  await new StateFile(join(settings.state, 'servers')).create('1\n');
}
