import { requireTls } from '@svc/core';
import pg, { type ClientConfig } from 'pg';
import { misconfigured } from './database-url.js';
import type { Settings } from './options.js';

/** The URL parameters that configure TLS. */
const tlsParameters = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation', 'uselibpqcompat'];

/** Modes of libpq that continue without TLS if the server does not support it. */
const fallingBack = new Set(['allow', 'prefer']);

/** Modes that svc treats as `verify-full`, because their meaning in `pg` depends on its version. */
const verified = new Set([...fallingBack, 'require', 'verify-ca']);

/**
 * The address of one host to connect to, and its TLS: as the option `ssl` states, otherwise the URL, otherwise `PGSSLMODE`. Rejects a remote server
 * without TLS unless that is allowed ([decision 0064](../../../docs/decisions/0064-plaintext-is-an-explicit-choice.md)).
 */
export function securedConnection({
  url,
  ssl,
  allowPlaintext,
}: Pick<Settings, 'url' | 'ssl' | 'allowPlaintext'>): Pick<ClientConfig, 'connectionString' | 'ssl'> {
  const [, address, text] = /^([^?#]*)\??([^#]*)/.exec(url)!;
  const query = new URLSearchParams(text);
  const isInUrl = tlsParameters.some((name) => query.has(name));
  if (ssl !== undefined && isInUrl)
    throw misconfigured('both the option ssl and the URL configure TLS. Remove one of them');
  const mode = (isInUrl ? query.getAll('sslmode').at(-1) : ssl === undefined && process.env['PGSSLMODE']) || '';
  const isCompatible = query.get('uselibpqcompat') === 'true';
  if (isInUrl && verified.has(mode) && !isCompatible) query.set('sslmode', 'verify-full');
  const config: Pick<ClientConfig, 'connectionString' | 'ssl'> = {
    connectionString: isInUrl ? `${address}?${query.toString()}` : url,
    // A copy, because the client changes the object.
    ...(ssl !== undefined && { ssl: typeof ssl === 'boolean' ? ssl : { ...ssl } }),
  };
  const { host, ssl: negotiated } = clientOf(config);
  requireTls({
    to: 'PostgreSQL',
    host,
    usesTls: negotiated && !fallingBack.has(mode),
    allowPlaintext,
    remedy: 'add sslmode=verify-full to the URL, or pass ssl: true',
  });
  return config;
}

/** A client that never connects. It resolves the host and TLS from the settings and the environment variables. */
export function clientOf(config: ClientConfig): pg.Client {
  try {
    return new pg.Client(config);
  } catch (error) {
    throw misconfigured(error instanceof Error ? error.message : String(error), error);
  }
}
