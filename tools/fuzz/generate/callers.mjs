/** Callers of two tenants, with valid credentials and with credentials that the service must reject. */
import { createHash, createHmac } from 'node:crypto';
import { KnownValues } from './known-values.mjs';

const tokenHours = 24;

/** Two tenants. The marker of a tenant is in every text that its callers send, and in their names. */
export function createTenants(random) {
  const [acme, evil] = ['acme', 'evil'].map((id) => ({
    id,
    marker: `${id}mark${random.hex(8)}`,
    known: new KnownValues(),
  }));
  acme.other = evil;
  evil.other = acme;
  return [acme, evil];
}

/** Issues credentials from a seed: the same seed gives the same secret and the same API keys. */
export class Credentials {
  #secret;
  #apiKeys = [];

  constructor(seed) {
    this.#secret = createHash('sha256').update(`fuzz ${seed}`).digest('hex');
  }

  /** The environment variables of the service; complete once all callers are created. */
  get environment() {
    return { AUTH_SECRET: this.#secret, API_KEYS: JSON.stringify(this.#apiKeys) };
  }

  /** A caller with a token. Without a tenant it acts for none. */
  tokenCaller(userId, tenant, roles) {
    const claims = { sub: userId, roles, ...(tenant !== null && { tenant_id: tenant.id }) };
    return {
      userId,
      tenant,
      header: ['authorization', `Bearer ${this.token(claims)}`],
      identity: { userId, tenantId: tenant?.id ?? null, roles },
    };
  }

  apiKeyCaller(userId, tenant, roles) {
    const key = createHmac('sha256', this.#secret).update(userId).digest('base64url');
    const sha256 = createHash('sha256').update(key).digest('hex');
    this.#apiKeys.push({ sha256, scope: { userId, tenantId: tenant.id }, roles });
    return { userId, tenant, header: ['x-api-key', key], identity: null };
  }

  token(claims, { secret = this.#secret, alg = 'HS256', hours = tokenHours } = {}) {
    const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const exp = Math.floor(Date.now() / 1000) + hours * 3600;
    const signed = `${part({ alg, typ: 'JWT' })}.${part({ iss: 'orders', aud: 'orders', exp, ...claims })}`;
    return `${signed}.${alg === 'none' ? '' : createHmac('sha256', secret).update(signed).digest('base64url')}`;
  }
}

/** The callers of one connection. The log is compared by caller, so a lost response does not affect other connections. */
export function callersOf(connection, tenants, credentials) {
  const ofTenants = tenants.flatMap((tenant) => {
    const name = (role) => `${tenant.marker}-${role}-${connection}`;
    return [
      [8, credentials.tokenCaller(name('admin'), tenant, ['admin'])],
      [4, credentials.apiKeyCaller(name('clerk'), tenant, ['clerk'])],
      [2, credentials.tokenCaller(name('auditor'), tenant, ['auditor'])],
      [1, credentials.tokenCaller(name('guest'), tenant, [])],
    ];
  });
  return [...ofTenants, [1, credentials.tokenCaller(`nowhere-admin-${connection}`, null, ['admin'])]];
}

/** Headers with an invalid credential, or with none. */
export function rejectedCredential(caller, credentials, random) {
  const claims = {
    sub: caller.userId,
    roles: ['admin'],
    ...(caller.tenant !== null && { tenant_id: caller.tenant.id }),
  };
  const bearer = (text) => [['authorization', `Bearer ${text}`]];
  return random.pick([
    () => [],
    () => bearer(''),
    () => bearer(random.hex(40)),
    () => bearer(credentials.token(claims, { hours: -1 })),
    () => bearer(credentials.token(claims, { alg: 'none' })),
    () => bearer(credentials.token(claims, { alg: 'HS512' })),
    () => bearer(credentials.token(claims, { secret: 'another secret, which is long enough too' })),
    () => bearer(credentials.token({ ...claims, aud: 'others' })),
    () => bearer(credentials.token({ ...claims, sub: random.pick([7, null, '', {}]) })),
    () => bearer(withoutExpiry(claims, credentials)),
    () => bearer(`${random.hex(40)}.${'A'.repeat(random.pick([100, 8100, 12_000]))}.x`),
    () => [
      [
        'authorization',
        random.pick(['', 'Bearer', 'Basic dXNlcjpwYXNz', 'bearer  ', 'Bearer\tx', 'Negotiate', '\u00e9']),
      ],
    ],
    () => [['x-api-key', random.pick(['', random.hex(43), '\u00ff', 'x'.repeat(9000)])]],
    // Two credentials at once, each of them valid or not.
    () => [
      caller.header,
      caller.header[0] === 'authorization' ? ['x-api-key', random.hex(43)] : ['authorization', 'Bearer x'],
    ],
  ])();
}

function withoutExpiry(claims, credentials) {
  return credentials.token({ ...claims, exp: undefined });
}
