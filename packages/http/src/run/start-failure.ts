import { ServiceError } from '@svc/core';
import { StorageUnavailableError } from '@svc/core/storage';
import { loggedError } from '@svc/core/hosting';
import type { Address } from './environment.js';

/** Why a service did not start, in one line. Null: the cause is unknown, and its stack is needed. */
export function startFailure(error: unknown, { host, port }: Address): string | null {
  if (error instanceof ServiceError) return `${error.code} ${loggedError(error).message}${outageOf(error)}`;
  switch (listenErrorOf(error)) {
    case 'EADDRINUSE':
      return `Cannot listen on ${host}:${port}: the port is in use. Stop the other process, or set PORT to another port.`;
    case 'EACCES':
      return `Cannot listen on ${host}:${port}: permission denied. Use a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Cannot listen on ${host}:${port}: this machine has no such address. Set HOST to 127.0.0.1, or to 0.0.0.0 in a container.`;
    default:
      return null;
  }
}

/** Which database is unavailable, and what its driver reported. */
function outageOf(error: ServiceError): string {
  if (!(error instanceof StorageUnavailableError)) return '';
  const { address, cause } = error;
  const reason = loggedError(reasonOf(cause)).message;
  const where = address === undefined ? '' : ` Database: ${address}.`;
  return `${where} Cause: ${reason}${reason.endsWith('.') ? '' : '.'}`;
}

/** A name with several IP addresses fails with an error without a message that has one for each address. */
function reasonOf(cause: unknown): unknown {
  return cause instanceof AggregateError && cause.message === '' ? (cause.errors[0] as unknown) : cause;
}

/** Errors of other connections have the same codes, but another system call. */
function listenErrorOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  const isOfListener = error.syscall === 'listen' || error.syscall === 'getaddrinfo';
  return isOfListener && typeof error.code === 'string' ? error.code : undefined;
}
