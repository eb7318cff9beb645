import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { postgres } from './postgres-storage.js';
import { securedConnection } from './secured-connection.js';

beforeEach(() => {
  for (const name of ['PGSSLMODE', 'PGHOST', 'PGSSLNEGOTIATION']) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

const remote = 'postgres://ann:hunter2@db.example:5432/orders';
const connect = (url: string, more: object = {}) => securedConnection({ url, allowPlaintext: false, ...more });
const rejection = expect.objectContaining({ code: 'SVC_PLAINTEXT_REFUSED' }) as Error;

describe('a remote server', () => {
  it.each([
    ['without a mode', remote],
    ['with sslmode=disable', `${remote}?sslmode=disable`],
    ['with sslmode=prefer, which falls back to plaintext', `${remote}?sslmode=prefer`],
    ['with sslmode=allow, which falls back to plaintext', `${remote}?sslmode=allow`],
    ['with a percent-encoded mode', `${remote}?sslmode=%70refer`],
    ['with several modes, of which the last counts', `${remote}?sslmode=require&sslmode=disable`],
    ['with a mode before a fragment', `${remote}?sslmode=prefer#here`],
    ['with a mode in a fragment', `${remote}#here?sslmode=require`],
    ['with an empty mode', `${remote}?sslmode=`],
    ['with ssl=0', `${remote}?ssl=0`],
    ['with compatible prefer', `${remote}?uselibpqcompat=true&sslmode=prefer`],
    ['by its IPv4 address', 'postgres://ann@10.0.0.5/orders'],
    ['by its IPv6 address', 'postgres://ann@[fd00::2]/orders'],
    ['in the parameter host, which overrides the host of the URL', 'postgres://ann@localhost/orders?host=db.example'],
    ['under a name that starts like a loopback address', 'postgres://ann@127.0.0.1.example/orders'],
    ['by an abbreviated loopback address', 'postgres://ann@127.1/orders'],
  ])('%s is rejected', (_what, url) => expect(() => connect(url)).toThrow(rejection));

  it('that PGHOST names is rejected', () => {
    vi.stubEnv('PGHOST', 'db.example');
    expect(() => connect('postgres:///orders')).toThrow(rejection);
  });

  it.each(['disable', 'allow', 'prefer'])('is rejected under PGSSLMODE=%s', (mode) => {
    vi.stubEnv('PGSSLMODE', mode);
    expect(() => connect(remote)).toThrow(rejection);
  });

  it('is rejected when the option ssl is false', () =>
    expect(() => connect(remote, { ssl: false })).toThrow(rejection));

  it('is rejected when the storage is created, with an error that does not contain the password', () => {
    expect(() => postgres({ url: remote })).toThrow(
      expect.objectContaining({
        code: 'SVC_PLAINTEXT_REFUSED',
        message: expect.stringMatching(
          /^Cannot connect to PostgreSQL at db\.example without TLS.*add sslmode=verify-full to the URL, or pass ssl: true\..*pass allowPlaintext: true\.$/,
        ) as string,
      }),
    );
    expect(() => postgres({ url: remote })).not.toThrow(/hunter2/);
  });

  it.each(['require', 'verify-ca', 'verify-full'])(
    'under sslmode=%s must have a certificate with a valid chain and name',
    (mode) => {
      const { connectionString } = connect(`${remote}?sslmode=${mode}&application_name=a%20b`);
      expect(connectionString).toBe(`${remote}?sslmode=verify-full&application_name=a+b`);
      const { connectionString: other } = connect(`${remote}?sslmode=${mode}&options=-c a=b?c`);
      expect(new URL(other!).searchParams.get('options')).toBe('-c a=b?c');
    },
  );

  it.each(['no-verify', 'require&uselibpqcompat=true'])(
    'under sslmode=%s is verified only as far as the URL states',
    (mode) => {
      expect(connect(`${remote}?sslmode=${mode}`).connectionString).toContain(`sslmode=${mode}`);
    },
  );

  it('is verified with the option ssl', () => {
    expect(connect(remote, { ssl: true })).toEqual({ connectionString: remote, ssl: true });
    const ssl = Object.freeze({ ca: 'certificate', key: 'key' });
    expect(connect(remote, { ssl }).ssl).toMatchObject({ ca: 'certificate' });
  });

  it('is verified with PGSSLMODE, unless the URL or the option ssl overrides it', () => {
    vi.stubEnv('PGSSLMODE', 'verify-full');
    expect(connect(remote)).toEqual({ connectionString: remote });
    expect(() => connect(`${remote}?sslmode=disable`)).toThrow(rejection);
    expect(() => connect(remote, { ssl: false })).toThrow(rejection);
  });

  it.each(['', '?sslmode=disable', '?sslmode=prefer'])('is reached without TLS with allowPlaintext (%s)', (query) => {
    expect(() => connect(`${remote}${query}`, { allowPlaintext: true })).not.toThrow();
  });
});

describe('a server on this machine', () => {
  it.each([
    'postgres://ann@localhost/orders',
    'postgres://ann@127.0.0.1/orders?sslmode=disable',
    'postgres://ann@127.8.9.10/orders',
    'postgres://ann@[::1]:5433/orders',
    'postgres:///orders',
    'postgres://%2Fvar%2Frun%2Fpostgresql/orders',
    'postgres:///orders?host=/var/run/postgresql',
    'socket:/var/run/postgresql?db=orders',
    '/var/run/postgresql orders',
  ])('needs no TLS: %s', (url) => expect(connect(url).connectionString).toBe(url));
});

describe('invalid settings', () => {
  it.each([
    ['TLS in the URL and in the option', `${remote}?sslmode=verify-full`, { ssl: true }, 'Remove one of them'],
    ['a missing certificate file', `${remote}?sslmode=verify-full&sslrootcert=/nowhere.crt`, {}, '/nowhere.crt'],
    ['an invalid URL', 'postgres://ann:hunter2@db:port/x', {}, 'Invalid URL'],
  ])('are rejected when the storage is created: %s', (_what, url, more, why) => {
    const failure = expect.objectContaining({
      code: 'SVC_STORAGE_MISCONFIGURED',
      message: expect.stringContaining(why) as string,
    }) as Error;
    expect(() => connect(url, more)).toThrow(failure);
    expect(() => connect(url, more)).not.toThrow(/hunter2/);
  });
});
