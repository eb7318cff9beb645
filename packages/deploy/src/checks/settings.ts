import type { Fields } from '../config/fields.js';

/** One request of a smoke test. `{/pointer}` in path and body is replaced by a value of the first response. */
export interface SmokeRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** The expected status. Default: 200. */
  readonly status: number;
}

/** In addresses and headers, a word `$NAME` is replaced by the environment variable of that name. */
export interface CheckSettings {
  readonly pre: {
    /** The database whose migrations are checked: `postgres://…` or `sqlite:…`. Default: none. */
    readonly database: string | null;
    /** The built registry of the service, for its perspectives. Default: the file of the build. */
    readonly registry: string | null;
    /** Whether the service calls `shareDataBetweenTenants()`. Default: false. */
    readonly sharedTenants: boolean;
    /** A shell command that prints `{ "pending": [{ "key", "sql" }] }`. Default: the pending migrations come from the database's own storage. */
    readonly migrations: string | null;
    /** What the service needs: each URL must answer. Default: none. */
    readonly dependencies: readonly { readonly name: string; readonly url: string }[];
    /** A shell command that must succeed. Default: none. */
    readonly integrationTests: string | null;
  };
  readonly post: {
    /** The URL at which callers reach the service. Default: none. */
    readonly url: string | null;
    /** The path of the probe that must succeed. Default: `/health/ready`. */
    readonly health: string;
    /** A request that creates something, and one that reads it. Default: none. */
    readonly smoke: { readonly create: SmokeRequest; readonly read: SmokeRequest } | null;
    /** Above this error rate the check fails. Default: 0.05. */
    readonly maxErrorRate: number;
    /** With fewer requests the check fails. 0: the service may have had no requests. Default: 50. */
    readonly minRequests: number;
    /** How long the error rate is watched. Default: 30,000. */
    readonly watchMs: number;
  };
  /** The timeout of one check. Integration tests get ten times as long. Default: 30,000. */
  readonly timeoutMs: number;
}

export function checkSettings(fields: Fields | null): CheckSettings {
  const pre = fields?.has('pre') ? fields.object('pre') : null;
  const post = fields?.has('post') ? fields.object('post') : null;
  const optional = (from: Fields | null, name: string): string | null => (from?.has(name) ? from.text(name) : null);
  const settings: CheckSettings = {
    pre: {
      database: optional(pre, 'database'),
      registry: optional(pre, 'registry'),
      sharedTenants: pre?.flag('sharedTenants', false) ?? false,
      migrations: optional(pre, 'migrations'),
      dependencies: (pre?.objects('dependencies') ?? []).map((dependency) => {
        const result = { name: dependency.text('name'), url: dependency.text('url') };
        dependency.end();
        return result;
      }),
      integrationTests: optional(pre, 'integrationTests'),
    },
    post: {
      url: optional(post, 'url'),
      health: post?.text('health', '/health/ready') ?? '/health/ready',
      smoke: post?.has('smoke') ? smokeOf(post.object('smoke')) : null,
      maxErrorRate: post?.number('maxErrorRate', 0.05) ?? 0.05,
      minRequests: post?.number('minRequests', 50) ?? 50,
      watchMs: post?.number('watchMs', 30_000) ?? 30_000,
    },
    timeoutMs: fields?.number('timeoutMs', 30_000) ?? 30_000,
  };
  pre?.end();
  post?.end();
  fields?.end();
  return settings;
}

function smokeOf(fields: Fields): { create: SmokeRequest; read: SmokeRequest } {
  const smoke = { create: requestOf(fields.object('create'), 'POST'), read: requestOf(fields.object('read'), 'GET') };
  fields.end();
  return smoke;
}

function requestOf(fields: Fields, method: string): SmokeRequest {
  const body = fields.any('body');
  const request: SmokeRequest = {
    method: fields.text('method', method),
    path: fields.text('path'),
    headers: fields.has('headers') ? headersOf(fields.object('headers')) : {},
    status: fields.number('status', 200),
    ...(body === undefined ? {} : { body }),
  };
  fields.end();
  return request;
}

function headersOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(fields.names().map((name) => [name, fields.text(name)]));
}
