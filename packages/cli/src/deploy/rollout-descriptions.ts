/** The commands that roll a version out or back. */
import type { SubcommandDescription } from '../command-line/description.js';
import { configOption, instances, onPlatform, poll, rolloutExitCodes, version } from './shared-description.js';

const errorRate = {
  value: '<rate>',
  summary: 'revert above this rate of failed requests, such as 5% or 0.05',
};

export const canary: SubcommandDescription = {
  summary: 'move the traffic to a new version in stages; revert when it fails',
  options: {
    version: { ...version, summary: 'the version to roll out (default: the installed one)' },
    instances,
    resume: { summary: 'continue a canary whose controller stopped' },
    stages: { value: '<percents>', summary: 'the shares of the traffic (default: 10,25,50,75,100)' },
    'stage-time': { value: '<time>', summary: 'how long a stage lasts (default: 5m)' },
    'no-data-time': {
      value: '<time>',
      summary: 'additional time to wait for requests before reverting (default: one stage)',
    },
    'lost-time': { value: '<time>', summary: 'how long the platform may be unreachable (default: 1m)' },
    'ready-time': { value: '<time>', summary: 'how long the new instances may take to be ready (default: 5m)' },
    poll: { value: '<time>', summary: 'how often to read the counters (default: 5s)' },
    'max-error-rate': { ...errorRate, summary: `${errorRate.summary} (default: 5%)` },
    'min-requests': { value: '<n>', summary: 'requests that a stage needs to be judged (default: 50)' },
    ...configOption,
  },
  json: 'JSON Lines: {kind: begun | stage | passed | lost | ended, …}; the last one has the outcome',
  examples: {
    'svc deploy canary --version 1.4.0': 'roll out 1.4.0 in five stages of five minutes',
    'svc deploy canary --version 1.4.0 --stages 5,50,100 --stage-time 10m': 'the same in three longer stages',
    'svc deploy canary --resume': 'continue after the controller stopped',
  },
  exitCodes: { ...rolloutExitCodes, 3: 'reverted because of errors', 4: 'reverted for lack of data' },
  load: onPlatform(async () => (await import('./canary.js')).canary),
};

export const blueGreen: SubcommandDescription = {
  summary: 'switch to the other environment, watch it, and scale the old one down',
  options: {
    version,
    instances,
    keep: { value: '<n>', summary: 'instances of the old version that stay', default: '1' },
    'watch-time': { value: '<time>', summary: 'how long to watch the new version', default: '30s' },
    'max-error-rate': { ...errorRate, default: '5%' },
    poll: poll('1s'),
    ...configOption,
  },
  json: 'JSON Lines: {kind, environment, …} for each step, then {result, front, …}',
  examples: { 'svc deploy blue-green --version 1.4.0 --watch-time 5m': 'switch to 1.4.0 and watch it for 5 minutes' },
  exitCodes: { ...rolloutExitCodes, 3: 'reverted because of errors' },
  load: onPlatform(async () => (await import('./blue-green.js')).blueGreen),
};

const replacementJson =
  'JSON Lines: {kind: "progress", wanted, updated, available, total}, then {kind: "done", version}';

export const rolling: SubcommandDescription = {
  summary: 'replace the instances in steps',
  options: {
    version,
    'max-unavailable': { value: '<n>', summary: 'instances that may be missing', default: '1' },
    'max-surge': { value: '<n>', summary: 'additional instances', default: '2' },
    ...configOption,
  },
  json: replacementJson,
  examples: { 'svc deploy rolling --version 1.4.0': 'replace all instances with 1.4.0' },
  exitCodes: rolloutExitCodes,
  load: onPlatform(async () => (await import('./replacement.js')).rolling),
};

export const recreate: SubcommandDescription = {
  summary: 'stop everything, then start the new version',
  options: {
    version,
    'even-if-critical': { summary: 'even if the service is marked critical' },
    ...configOption,
  },
  json: replacementJson,
  examples: { 'svc deploy recreate --version 1.4.0 --even-if-critical': 'replace all instances, with a downtime' },
  exitCodes: rolloutExitCodes,
  load: onPlatform(async () => (await import('./replacement.js')).recreate),
};

export const rollback: SubcommandDescription = {
  summary: 'revert a canary, switch blue-green back, or (one environment) restore the previous revision',
  options: {
    revision: { value: '<n>', summary: 'roll to this revision' },
    previous: { summary: 'roll to the previous revision even with two environments' },
    'even-if-taken-back': { summary: 'switch to a version that was reverted or never had all traffic' },
    poll: poll('1s'),
    ...configOption,
  },
  json: 'JSON Lines: the progress, then {kind: canary-reverted | rolled-back | switched-back, text}',
  examples: {
    'svc deploy rollback': 'undo the last rollout',
    'svc deploy rollback --revision 7': 'return to a revision that svc deploy status shows',
  },
  exitCodes: rolloutExitCodes,
  load: onPlatform(async () => (await import('./roll-back.js')).rollBack),
};
