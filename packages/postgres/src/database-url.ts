import { ServiceError } from '@svc/core';

/** What a session must accept, in the words of libpq: `any` also accepts a standby. */
export type SessionAttributes = 'any' | 'read-write';

/** The servers that a URL names: those of one primary and its standbys. */
export interface DatabaseUrl {
  /** One URL for each host, in the order in which they are tried. */
  readonly urls: readonly [string, ...string[]];
  readonly sessionAttributes: SessionAttributes;
}

const listParameters = ['target_session_attrs', 'host', 'port'];

/** Splits a URL in libpq's syntax: `postgres://user@host1:5432,host2:5433/db?target_session_attrs=read-write`. */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  requireDatabaseUrl(url);
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)\??([^#]*)/i.exec(url);
  if (parts === null) return { urls: [url], sessionAttributes: 'any' };
  const [, start = '', authority = '', path = '', text] = parts;
  const query = new URLSearchParams(text);
  const sessionAttributes = sessionAttributesOf(query);
  const isPlain = !authority.includes(',') && !listParameters.some((name) => query.get(name)?.includes(','));
  if (isPlain && !query.has('target_session_attrs')) return { urls: [url], sessionAttributes };
  query.delete('target_session_attrs');
  const hosts = query.get('host')?.split(',') ?? [];
  const ports = query.get('port')?.split(',') ?? [];
  const count = Math.max(hosts.length, 1);
  if (hosts.length === 0 && ports.length < 2) {
    const urls = authority.split(',').map((host) => `${start}${host}${path}${textOf(query)}`);
    return { urls: urls as [string, ...string[]], sessionAttributes };
  }
  if (ports.length > 1 && ports.length !== count)
    throw misconfigured(`the URL has ${count} hosts and ${ports.length} ports. Give one port, or one for each host`);
  const urls = Array.from({ length: count }, (_, nth) => {
    const own = new URLSearchParams(query);
    if (hosts.length > 0) own.set('host', hosts[nth]!);
    if (ports.length > 0) own.set('port', ports[nth] ?? ports[0]!);
    return `${start}${authority.includes(',') ? '' : authority}${path}${textOf(own)}`;
  });
  return { urls: urls as [string, ...string[]], sessionAttributes };
}

/** The driver takes anything else for the name of a local database. Nothing of the URL is repeated, because it can have a password. */
function requireDatabaseUrl(url: unknown): void {
  if (typeof url !== 'string' || url.trim() === '')
    throw misconfigured('the URL is empty. Set DATABASE_URL to postgres://user:password@host:port/database');
  const [, scheme] = /^([a-z][\w+.-]*):/i.exec(url) ?? [];
  if (url.startsWith('/') || (scheme !== undefined && schemes.has(scheme.toLowerCase()))) return;
  throw misconfigured('the URL does not begin with postgres://. Expected postgres://user:password@host:port/database');
}

/** `socket:` is the driver's own, like a path. */
const schemes: ReadonlySet<string> = new Set(['postgres', 'postgresql', 'socket']);

/** Where a database is, without the user, the password and the parameters: `host1:5432,host2:5433/db`. For display. */
export function databaseAddress(url: string): string {
  const { urls } = parseDatabaseUrl(url);
  const parsed = urls.map(parsedUrl);
  const hosts = parsed.map(({ host, searchParams }) => {
    const [name, port] = [searchParams.get('host'), searchParams.get('port')];
    return name === null ? host : `${name}${port === null ? '' : `:${port}`}`;
  });
  return `${hosts.join(',')}${parsed[0]!.pathname}`;
}

/** The password of a URL in every form in which a server or driver may repeat it. */
export function databaseSecrets(url: string): readonly string[] {
  const { password, searchParams } = parsedUrl(parseDatabaseUrl(url).urls[0]);
  const secrets = [password, decodeURIComponent(password), searchParams.get('password') ?? ''];
  return [...new Set(secrets)].filter((secret) => secret !== '');
}

function parsedUrl(url: string): URL {
  try {
    return new URL(url);
  } catch {
    // The cause contains the URL with its password.
    throw misconfigured('Invalid URL');
  }
}

function sessionAttributesOf(query: URLSearchParams): SessionAttributes {
  const wanted = query.getAll('target_session_attrs').at(-1) ?? 'any';
  if (wanted === 'any' || wanted === 'read-write') return wanted;
  throw misconfigured('target_session_attrs must be "any" or "read-write"');
}

function textOf(query: URLSearchParams): string {
  return query.size === 0 ? '' : `?${query.toString()}`;
}

export function misconfigured(why: string, cause?: unknown): ServiceError {
  return new ServiceError('SVC_STORAGE_MISCONFIGURED', `Cannot configure the connection to PostgreSQL: ${why}.`, {
    cause,
  });
}
