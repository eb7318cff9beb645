import { ServiceError } from '../errors/index.js';

/** A connection to a database or a broker that is about to be opened. */
export interface PlannedConnection {
  /** The product that it connects to, such as `PostgreSQL`. */
  readonly to: string;
  /** A name, an address without brackets, or the path of a Unix socket. */
  readonly host: string;
  /** Whether it is encrypted, or fails if it cannot be. */
  readonly usesTls: boolean;
  readonly allowPlaintext: boolean;
  /** How to enable TLS: `add sslmode=verify-full to the URL`. */
  readonly remedy: string;
}

/** A connection to a remote database or broker would not use TLS. */
export class PlaintextRejectedError extends ServiceError {
  /** The product and the host: `PostgreSQL at db.example`. */
  readonly target: string;
  /** How to enable TLS. */
  readonly remedy: string;

  constructor({ to, host, remedy }: Pick<PlannedConnection, 'to' | 'host' | 'remedy'>) {
    const target = `${to} at ${host}`;
    super('SVC_PLAINTEXT_REFUSED', plaintextText({ target, remedy }, 'pass allowPlaintext: true'));
    this.target = target;
    this.remedy = remedy;
  }
}

/** The message of a `PlaintextRejectedError`. `optIn` says how to allow plaintext. */
export function plaintextText(
  { target, remedy }: Pick<PlaintextRejectedError, 'target' | 'remedy'>,
  optIn: string,
): string {
  return `Cannot connect to ${target} without TLS: passwords and data would be readable on the network. To fix it, ${remedy}. If the network is encrypted by other means, ${optIn}.`;
}

/** Throws unless the connection is encrypted, stays on this machine, or plaintext was explicitly allowed. */
export function requireTls(connection: PlannedConnection): void {
  const { host, usesTls, allowPlaintext } = connection;
  if (!usesTls && !allowPlaintext && !isOnThisMachine(host)) throw new PlaintextRejectedError(connection);
}

/** Whether a host is a loopback address: 127.0.0.0/8, ::1 or `localhost`. Other names never are, whatever they resolve to. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || loopbackV4.test(host);
}

/** Four decimal numbers only: resolvers disagree about `127.1` and `0177.0.0.1`. */
const loopbackV4 = /^127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/;

function isOnThisMachine(host: string): boolean {
  return host.startsWith('/') || isLoopback(host);
}
