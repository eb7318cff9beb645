import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { checkSettings, type CheckSettings } from '../checks/settings.js';
import { DeployError, messageOf } from '../deploy-error.js';
import { haproxyDefaults, type HaproxySettings } from '../haproxy/index.js';
import type { KubernetesSettings } from '../kubernetes/settings.js';
import type { PrometheusSettings } from '../metrics/prometheus.js';
import { Fields } from './fields.js';
import { kubernetesSettings } from './kubernetes-settings.js';

/** How a service is deployed: the file `deploy.json` next to its `package.json`. */
export interface DeployConfig {
  /** The name of the service: 1 to 41 lower-case letters, digits and dashes. */
  readonly service: string;
  /** Whether the service must stay available during a deployment. Default: true. */
  readonly critical: boolean;
  /** Instances per environment. Default: 10 in a cluster, one per address behind HAProxy. */
  readonly instances: number;
  /** The header that selects the new version if its value is `new`. Default: `x-svc-version`. */
  readonly header: string;
  /** The platform behind HAProxy. One of `haproxy` and `kubernetes` is required. Default: none. */
  readonly haproxy: HaproxySettings | null;
  /** The platform in a cluster. Default: none. */
  readonly kubernetes: KubernetesSettings | null;
  /** The source of error rates. Default: the counters of the load balancer, which only HAProxy has. */
  readonly prometheus: PrometheusSettings | null;
  /** The checks before and after a deployment. Default: only those that need no settings. */
  readonly checks: CheckSettings;
}

/** Reads and validates a deployment configuration file. Relative paths in it start at its folder. */
export async function loadConfig(path: string): Promise<DeployConfig> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new DeployError(
      'invalid',
      `Cannot read ${path}, which describes where the service runs. Create it, or pass --config <file>. svc deploy --help shows an example.`,
      {
        cause: error,
      },
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DeployError('invalid', `${path} is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
  return deployConfig(value, dirname(resolve(path)));
}

/**
 * Validates a deployment configuration.
 * @param folder the base of relative paths
 */
export function deployConfig(value: unknown, folder: string): DeployConfig {
  const fields = new Fields(value, 'deploy');
  const service = name(fields);
  const haproxy = fields.has('haproxy') ? haproxySettings(fields.object('haproxy'), folder) : null;
  const kubernetes = fields.has('kubernetes') ? kubernetesSettings(fields.object('kubernetes'), service) : null;
  if ((haproxy === null) === (kubernetes === null)) {
    throw new DeployError('invalid', 'deploy must have one platform: either haproxy or kubernetes.');
  }
  const config: DeployConfig = {
    service,
    critical: fields.flag('critical', true),
    instances: fields.number('instances', haproxy === null ? 10 : haproxy.blue.length),
    header: fields.text('header', 'x-svc-version').toLowerCase(),
    haproxy,
    kubernetes,
    prometheus: fields.has('prometheus') ? prometheusSettings(fields.object('prometheus')) : null,
    checks: checkSettings(fields.has('checks') ? fields.object('checks') : null),
  };
  fields.end();
  return config;
}

/** The name becomes part of names in HAProxy and Kubernetes. */
function name(fields: Fields): string {
  const service = fields.text('service');
  if (/^[a-z][a-z0-9-]{0,40}$/.test(service)) return service;
  throw new DeployError('invalid', 'deploy.service must consist of lower-case letters, digits and dashes.');
}

function haproxySettings(fields: Fields, folder: string): HaproxySettings {
  const from = (path: string): string => (isAbsolute(path) || /^[^/]+:\d+$/.test(path) ? path : join(folder, path));
  const settings: HaproxySettings = {
    socket: from(fields.text('socket')),
    listen: fields.text('listen', haproxyDefaults.listen),
    blue: fields.texts('blue'),
    green: fields.texts('green', []),
    state: from(fields.text('state', '.svc/deploy')),
    probe: fields.text('probe', haproxyDefaults.probe),
    probeMs: fields.number('probeMs', haproxyDefaults.probeMs),
    drainMs: fields.number('drainMs', haproxyDefaults.drainMs),
    readyMs: fields.number('readyMs', haproxyDefaults.readyMs),
    ...(fields.has('run') ? { run: fields.texts('run') } : {}),
    ...(fields.has('start') ? { start: fields.text('start') } : {}),
    ...(fields.has('stop') ? { stop: fields.text('stop') } : {}),
  };
  fields.end();
  return settings;
}

function prometheusSettings(fields: Fields): PrometheusSettings {
  const settings: PrometheusSettings = {
    url: fields.text('url'),
    requests: fields.text('requests'),
    statusLabel: fields.text('statusLabel', 'code'),
    ...(fields.has('durationBuckets') ? { durationBuckets: fields.text('durationBuckets') } : {}),
    secondsPerUnit: fields.number('secondsPerUnit', 1),
  };
  fields.end();
  return settings;
}
