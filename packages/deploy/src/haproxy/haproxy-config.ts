import { environments, type Environment } from '../platform/index.js';
import type { HaproxySettings } from './settings.js';
import { requestFormat, requestRing } from './request-times.js';
import { slotsOf } from './slots.js';

/** The HAProxy configuration that the four strategies require. */
export function haproxyConfig(service: string, header: string, settings: HaproxySettings): string {
  const { socket, listen, probe, probeMs, state } = settings;
  const map = forcedMap(settings);
  const managed = settings.run !== undefined || settings.start !== undefined;
  const slots = slotsOf(settings);
  const lookup = `req.hdr(${header}),map_str(${map})`;
  const server = (name: string, address: string, ...options: string[]): string =>
    ['  server', name, address, ...options, ...(managed ? ['disabled'] : [])].join(' ');
  const probed = `  option httpchk GET ${probe}
  http-check expect status 200
  default-server check inter ${probeMs}ms fastinter ${probeMs}ms downinter ${probeMs}ms fall 2 rise 1`;
  return `# Written by svc deploy haproxy-config.
global
  stats socket ${socket} mode 600 level admin
  # What the strategies set at run time outlives a restart.
  server-state-file ${state}/servers

# A line per request, for percentiles; read over the socket, never written to disk.
ring ${requestRing}
  format raw
  maxlen 512
  size 1048576

defaults
  mode http
  load-server-state-from-file global
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout queue 5s
  # How long a probe may take; without it, a busy instance counts as gone after one interval.
  timeout check 3s
  # A request goes to another server only when it was never sent: no retry-on here, it could run a command twice.
  retries 2
  option redispatch 1

frontend ${service}-front
  bind ${listen}
  log ring@${requestRing} format raw local0
  log-format "${requestFormat}"
  use_backend %[${lookup}] if { ${lookup} -m found }
  default_backend ${service}

backend ${service}
  balance roundrobin
${probed}
${slots
  .map(({ name, environment, address }) => server(name, address, `weight ${environment === 'blue' ? 100 : 0}`))
  .join('\n')}
${environments
  .map(
    (environment) => `
# The target of the header during a canary. It has its own probes: a server that tracked another would stay down after a restart.
backend ${forcedBackend(service, environment)}
  balance roundrobin
${probed}
${slots
  .filter((slot) => slot.environment === environment)
  .map(({ name, address }) => server(name, address))
  .join('\n')}`,
  )
  .join('\n')}
`;
}

/** The backends of requests that the header forces to an environment. */
export function forcedBackend(backend: string, environment: Environment): string {
  return `${backend}-${environment}`;
}

/** The header's values and their backends. `new` selects the ordinary backend while no canary runs. */
export function forcedMapText(backend: string): string {
  return `new ${backend}\n`;
}

export function forcedMap({ state }: HaproxySettings): string {
  return `${state}/forced.map`;
}
