import { ServiceError } from '@svc/core';

/** Where a host listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Reads the address from the options, then from `HOST` and `PORT`, then from the defaults. An empty variable counts as not set. */
export function addressFrom(
  options: { readonly host?: string; readonly port?: number },
  { HOST, PORT }: NodeJS.ProcessEnv,
): Address {
  return {
    host: options.host ?? (HOST || '127.0.0.1'),
    port: options.port ?? (PORT ? portOf(PORT) : 3000),
  };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new ServiceError(
    'SVC_INVALID_SETTING',
    `PORT must be a whole number from 0 to 65535, not "${text.slice(0, 50)}". 0 uses a free port.`,
  );
}
