import { environments, perEnvironment, type Environment, type Split } from '../platform/index.js';
import type { ServerState } from './servers.js';

/** The maximum weight of a server. */
const heaviest = 256;

/**
 * The weight of one server of each environment, so that the environments share the traffic as `split` says, however many servers of
 * each are ready. HAProxy distributes requests exactly by weight.
 */
export function weightsFor(split: Split, ready: Readonly<Record<Environment, number>>): Record<Environment, number> {
  const of = (environment: Environment, other: Environment): number =>
    ready[environment] === 0 ? 0 : split[environment] * Math.max(1, ready[other]);
  let weights = { blue: of('blue', 'green'), green: of('green', 'blue') };
  const divisor = Math.min(ready.blue, ready.green) === 0 ? 1 : greatestCommonDivisor(ready.blue, ready.green);
  if (divisor > 1) weights = { blue: weights.blue / divisor, green: weights.green / divisor };
  if (Math.max(weights.blue, weights.green) <= heaviest) return weights;
  const common = greatestCommonDivisor(weights.blue, weights.green);
  const reduced = { blue: weights.blue / common, green: weights.green / common };
  const scale = Math.min(1, heaviest / Math.max(reduced.blue, reduced.green));
  // Never rounded down to 0: an environment with a small share must get some traffic.
  return perEnvironment((name) => (reduced[name] === 0 ? 0 : Math.max(1, Math.round(reduced[name] * scale))));
}

/** The split that the weights of the ready servers result in. */
export function splitOfServers(servers: readonly ServerState[]): Split {
  const total = (environment: Environment): number =>
    servers
      .filter((server) => server.environment === environment && server.ready)
      .reduce((sum, { weight }) => sum + weight, 0);
  const blue = total('blue');
  const green = total('green');
  if (blue + green > 0) return shares(blue, green);
  // No server is ready: use the weights of all servers.
  const wanted = (environment: Environment): number =>
    servers.filter((server) => server.environment === environment).reduce((sum, { weight }) => sum + weight, 0);
  return shares(wanted('blue'), wanted('green'));
}

function shares(blue: number, green: number): Split {
  const share = blue + green === 0 ? 100 : Math.round((blue / (blue + green)) * 100);
  return { blue: share, green: 100 - share };
}

/** The commands that change the current weights. Increases come first, so that the total weight is never 0. */
export function weightCommands(
  backend: string,
  servers: readonly ServerState[],
  weights: Readonly<Record<Environment, number>>,
): readonly string[] {
  const changes = servers
    .map((server) => ({ server, by: weights[server.environment] - server.weight }))
    .filter(({ by }) => by !== 0)
    .toSorted((a, b) => b.by - a.by);
  return changes.map(({ server }) => `set server ${backend}/${server.name} weight ${weights[server.environment]}`);
}

export function readyPerEnvironment(servers: readonly ServerState[]): Record<Environment, number> {
  const counts = { blue: 0, green: 0 };
  for (const environment of environments) {
    counts[environment] = servers.filter((server) => server.environment === environment && server.ready).length;
  }
  return counts;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
