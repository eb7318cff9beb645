import { DeployError } from '../deploy-error.js';
import type { Environment } from '../platform/index.js';
import type { RuntimeSocket } from './runtime-socket.js';

/** A slot for an instance: a server line of the backend, named after its environment. */
export interface Slot {
  readonly name: string;
  readonly environment: Environment;
  readonly address: string;
}

export interface ServerState extends Slot {
  readonly weight: number;
  /** Whether it is enabled: it gets traffic while its readiness probe answers 200. */
  readonly inService: boolean;
  /** Whether it is enabled and its readiness probe answers 200. */
  readonly ready: boolean;
}

const running = '2';
/** Forced, inherited, by address or by name. That the configuration once disabled a server does not count. */
const maintenanceFlags = 0x63;
const drainFlags = 0x18;

/** The current servers of a backend. */
export async function readServers(socket: RuntimeSocket, backend: string): Promise<readonly ServerState[]> {
  const answer = await socket.ask(`show servers state ${backend}`);
  const lines = answer.split('\n').filter((line) => line.trim() !== '');
  const columns = lines[1]?.replace(/^# /, '').split(' ');
  if (columns === undefined || columns[0] !== 'be_id') {
    throw new DeployError('refused', `HAProxy has no backend ${backend}: ${answer.trim()}`);
  }
  return lines.slice(2).flatMap((line) => {
    const values = line.split(' ');
    const field = (name: string): string => values[columns.indexOf(name)] ?? '';
    const name = field('srv_name');
    const environment = environmentOf(name);
    if (environment === null) return [];
    const isTakenOut = (Number(field('srv_admin_state')) & (maintenanceFlags | drainFlags)) !== 0;
    return [
      {
        name,
        environment,
        address: `${field('srv_addr')}:${field('srv_port')}`,
        weight: Number(field('srv_uweight')),
        inService: !isTakenOut,
        ready: field('srv_op_state') === running && !isTakenOut,
      },
    ];
  });
}

export function environmentOf(server: string): Environment | null {
  if (server.startsWith('blue-')) return 'blue';
  return server.startsWith('green-') ? 'green' : null;
}
