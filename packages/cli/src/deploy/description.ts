import type { GroupDescription, OptionDescription } from '../command-line/description.js';
import { blueGreen, canary, recreate, rollback, rolling } from './rollout-descriptions.js';
import {
  configOption,
  deployExitCodes,
  instances,
  onPlatform,
  rolloutExitCodes,
  version,
} from './shared-description.js';

const environment: OptionDescription = {
  value: '<environment>',
  values: ['blue', 'green'],
  summary: 'blue or green; required',
};

export const deploy: GroupDescription = {
  details: [
    'deploy.json describes where the service runs, behind HAProxy or in a Kubernetes cluster. The smallest one: { "service": "shop", "kubernetes": { "image": "registry.example/shop" } }. Times are 500ms, 30s or 5m.',
  ],
  commands: {
    canary,
    'blue-green': blueGreen,
    rolling,
    recreate,
    rollback,
    install: {
      summary: 'deploy a version to an environment without traffic',
      options: {
        environment,
        version,
        instances: { ...instances, summary: 'instances of the version (default: that of deploy.json)' },
        ...configOption,
      },
      json: '{environment, version, wanted, ready, …}',
      examples: { 'svc deploy install --environment green --version 1.4.0': 'start 1.4.0 in green' },
      exitCodes: rolloutExitCodes,
      load: onPlatform(async () => (await import('./instances.js')).install),
    },
    scale: {
      summary: 'change the number of instances of an environment',
      options: {
        environment,
        instances: { value: '<n>', summary: 'the number of instances; required' },
        ...configOption,
      },
      json: '{environment, instances}',
      examples: { 'svc deploy scale --environment blue --instances 0': 'stop all instances of blue' },
      exitCodes: deployExitCodes,
      load: onPlatform(async () => (await import('./instances.js')).scale),
    },
    status: {
      summary: 'show the versions, the traffic split and the revisions',
      options: configOption,
      json: '{platform, environments: [{environment, share, version, wanted, ready}], canary, claim, revisions: […]}',
      examples: { 'svc deploy status --json': 'show what runs where, as JSON' },
      exitCodes: deployExitCodes,
      load: onPlatform(async () => (await import('./status.js')).status),
    },
    check: {
      summary: 'run the checks before or after a deployment',
      options: {
        pre: { summary: 'the checks before a deployment' },
        post: { summary: 'the checks after a deployment' },
        'allow-plaintext': {
          summary: 'log in to a remote PostgreSQL without TLS; ALLOW_PLAINTEXT=yes does the same',
        },
        ...configOption,
      },
      json: '{passed, outcome, checks: [{name, status, ms, detail}]}',
      examples: { 'svc deploy check --pre': 'check the database, the migrations and the rest of checks.pre' },
      exitCodes: { ...deployExitCodes, 0: 'all checks passed', 1: 'a check failed, or all were skipped' },
      load: onPlatform(async () => (await import('./check.js')).check),
    },
    manifests: {
      summary: 'print the Kubernetes objects of a strategy as YAML, or the Dockerfile of the image',
      details: [
        'A Dockerfile or .dockerignore with other content is not overwritten. If the service in this folder has SQLite and no other database, the Dockerfile has a volume for .svc, the folder of the database.',
      ],
      options: {
        strategy: { value: '<strategy>', summary: 'rolling, recreate, blue-green or canary', default: 'rolling' },
        version,
        out: { value: '<folder>', summary: 'write files to this folder instead' },
        dockerfile: { summary: 'the Dockerfile and .dockerignore of the image instead' },
        ...configOption,
      },
      json: 'a Kubernetes List; with --dockerfile {dockerfile, dockerignore}; with --out {files: […]}',
      examples: {
        'svc deploy manifests --strategy canary --version 1.4.0 --out kubernetes': 'write the objects of a canary',
        'svc deploy manifests --dockerfile --out .': 'write Dockerfile and .dockerignore',
      },
      exitCodes: deployExitCodes,
      load: onPlatform(async () => (await import('./manifests.js')).manifests),
    },
    'haproxy-config': {
      summary: 'print the HAProxy configuration, and create the files that it includes',
      options: { out: { value: '<file>', summary: 'write the configuration to this file' }, ...configOption },
      json: '{config}; with --out {file}',
      examples: { 'svc deploy haproxy-config --out haproxy.cfg': 'write the configuration' },
      exitCodes: deployExitCodes,
      load: onPlatform(async () => (await import('./haproxy-setup.js')).haproxySetup),
    },
  },
};
