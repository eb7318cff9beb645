import { describe, expect, it } from 'vitest';
import { isLoopback, PlaintextRejectedError, requireTls } from './plaintext.js';

const planned = {
  to: 'PostgreSQL',
  host: 'db.example',
  usesTls: false,
  allowPlaintext: false,
  remedy: 'add sslmode=verify-full to the URL',
};

describe('a loopback address', () => {
  it.each(['127.0.0.1', '127.0.0.0', '127.255.255.255', '127.1.2.3', '::1', 'localhost', 'LocalHost'])(
    'is %s',
    (host) => expect(isLoopback(host)).toBe(true),
  );

  it.each([
    '',
    '128.0.0.1',
    '10.127.0.0.1',
    '127.0.0.1.example.com',
    '127.0.0',
    '127.1',
    '127.0.0.256',
    '127.0.0.01',
    '0177.0.0.1',
    '2130706433',
    '0.0.0.0',
    '::',
    '::2',
    '::1.example',
    '::ffff:10.0.0.1',
    'fe80::1',
    'localhost.',
    'localhost.example',
    'notlocalhost',
    '127.0.0.1\n',
    ' 127.0.0.1',
    '192.0.2.2',
  ])('is not %j', (host) => expect(isLoopback(host)).toBe(false));
});

describe('a connection without TLS', () => {
  it.each(['127.0.0.1', '::1', 'localhost', '/var/run/postgresql'])('is allowed on this machine (%s)', (host) =>
    expect(() => requireTls({ ...planned, host })).not.toThrow(),
  );

  it.each(['db.example', '10.0.0.5', 'fd00::2', '', 'run/postgresql', '0.0.0.0'])(
    'is rejected to a remote host (%j)',
    (host) => expect(() => requireTls({ ...planned, host })).toThrow(PlaintextRejectedError),
  );

  it('is rejected with a code and a message that names both ways to fix it', () => {
    expect(() => requireTls(planned)).toThrow(
      expect.objectContaining({
        code: 'SVC_PLAINTEXT_REFUSED',
        message:
          'Cannot connect to PostgreSQL at db.example without TLS: passwords and data would be readable on the network. To fix it, add sslmode=verify-full to the URL. If the network is encrypted by other means, pass allowPlaintext: true.',
      }),
    );
  });

  it('is allowed with allowPlaintext', () => {
    expect(() => requireTls({ ...planned, allowPlaintext: true })).not.toThrow();
  });
});

it('allows a connection with TLS to every host', () =>
  expect(() => requireTls({ ...planned, usesTls: true })).not.toThrow());
