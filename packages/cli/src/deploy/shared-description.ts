/** What the descriptions of deployments share. Loads no platform. */
import type { CommandDescription, ExitCodes, OptionDescription, Run } from '../command-line/description.js';

export const configOption: Readonly<Record<string, OptionDescription>> = {
  config: { value: '<file>', summary: 'the file that describes where the service runs', default: 'deploy.json' },
};

export const version: OptionDescription = { value: '<version>', summary: 'the version to roll out; required' };

export const instances: OptionDescription = {
  value: '<n>',
  summary: 'instances of the new version (default: as many as the old version has)',
};

export const poll = (byDefault: string): OptionDescription => ({
  value: '<time>',
  summary: 'how often to look at the platform',
  default: byDefault,
});

export const deployExitCodes: ExitCodes = {
  0: 'done',
  1: 'failed',
  2: 'wrong usage',
  6: 'the platform is unreachable',
};

export const rolloutExitCodes: ExitCodes = { ...deployExitCodes, 5: 'interrupted' };

/** Loads a command on the platform of deploy.json. */
export function onPlatform(load: () => Promise<Run>): CommandDescription['load'] {
  return async () => {
    const [{ deployCommand }, run] = await Promise.all([import('./run.js'), load()]);
    return deployCommand(run);
  };
}
