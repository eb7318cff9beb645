import { ServiceError } from '../errors/index.js';

/** A connection to a database or a broker, before it is made. */
export interface PlannedConnection {
  /** What is at its other end, such as `PostgreSQL`. */
  readonly to: string;
  /** A name, an address without brackets, or the path of a Unix socket. */
  readonly host: string;
  /** Whether it is encrypted, or fails where it cannot be. */
  readonly usesTls: boolean;
  readonly allowPlaintext: boolean;
  /** How TLS is turned on: `add sslmode=verify-full to the URL`. */
  readonly remedy: string;
}

/** A remote database or broker would be reached without TLS. */
export class PlaintextRefusedError extends ServiceError {
  /** What would be reached, and where. */
  readonly target: string;
  /** How TLS is turned on. */
  readonly remedy: string;

  constructor({ to, host, remedy }: Pick<PlannedConnection, 'to' | 'host' | 'remedy'>) {
    const target = `${to} at ${host}`;
    super('SVC_PLAINTEXT_REFUSED', plaintextText({ target, remedy }, 'pass allowPlaintext: true'));
    this.target = target;
    this.remedy = remedy;
  }
}

/** What is wrong and what to do, where `optIn` is the way to allow plaintext. */
export function plaintextText(
  { target, remedy }: Pick<PlaintextRefusedError, 'target' | 'remedy'>,
  optIn: string,
): string {
  return `${target} would be reached without TLS, and others on the network could read passwords and data. To fix it, ${remedy}. If the network is encrypted by other means, ${optIn}.`;
}

/** Throws unless the connection is encrypted, stays on this machine, or plaintext was explicitly allowed. */
export function requireTls(connection: PlannedConnection): void {
  const { host, usesTls, allowPlaintext } = connection;
  if (!usesTls && !allowPlaintext && !isOnThisMachine(host)) throw new PlaintextRefusedError(connection);
}

/** Whether a host is a loopback address: 127.0.0.0/8, ::1 or `localhost`. Other names are not, whatever they resolve to. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || loopbackV4.test(host);
}

/** Written out in four numbers: what resolvers make of `127.1` or `0177.0.0.1` differs. */
const loopbackV4 = /^127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/;

function isOnThisMachine(host: string): boolean {
  return host.startsWith('/') || isLoopback(host);
}
