import { DeployError } from '../deploy-error.js';
import { perEnvironment, type PerEnvironment } from '../platform/index.js';
import type { RuntimeSocket } from './runtime-socket.js';
import { environmentOf } from './servers.js';

/** Since HAProxy started. */
export interface Counters {
  readonly requests: number;
  readonly errors: number;
}

/** Responses by class. Each request that reached a server is in exactly one of these, or in one of the failures. */
const answers = ['hrsp_1xx', 'hrsp_2xx', 'hrsp_3xx', 'hrsp_4xx', 'hrsp_5xx', 'hrsp_other'] as const;
/** No connection or no response. The application never sees these; only the load balancer counts them. */
const failures = ['econ', 'eresp'] as const;
/** A response that broke off. Its headers were already counted as a response. */
const broken = 'srv_abrt';

/** The requests of each environment that the backend distributed. Requests forced by header are in a separate backend. */
export async function readCounters(socket: RuntimeSocket, backend: string): Promise<PerEnvironment<Counters>> {
  const answer = await socket.ask('show stat');
  const [header = '', ...lines] = answer.split('\n');
  const columns = header.replace(/^# /, '').split(',');
  if (columns[0] !== 'pxname') throw new DeployError('refused', `HAProxy returned no statistics: ${header}`);
  const totals = { blue: { requests: 0, errors: 0 }, green: { requests: 0, errors: 0 } };
  for (const line of lines) {
    const values = cells(line);
    if (values[0] !== backend) continue;
    const environment = environmentOf(values[1] ?? '');
    if (environment === null) continue;
    const count = (name: string): number => Number(values[columns.indexOf(name)] ?? 0);
    const failed = sum(failures.map(count));
    totals[environment].requests += sum(answers.map(count)) + failed;
    totals[environment].errors += count('hrsp_5xx') + failed + count(broken);
  }
  return perEnvironment((environment) => totals[environment]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The cells of a CSV line, some of them quoted. */
function cells(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) => cell);
}
