import { describe, expect, it } from 'vitest';
import { clientsOf } from './options.js';

const key = 'SharedAccessKeyName=name;SharedAccessKey=hunter2';
const emulator = 'UseDevelopmentEmulator=true';
const open = (connectionString: string) => clientsOf({ connectionString }, {});
const plaintextRejected = expect.objectContaining({ code: 'SVC_PLAINTEXT_REFUSED' }) as Error;

describe('the development emulator, which has no TLS', () => {
  it.each(['localhost', '127.0.0.1:5672', '[::1]:5672'])('is reached on this machine: %s', (host) =>
    expect(() => open(`Endpoint=sb://${host};${key};${emulator}`)).not.toThrow(),
  );

  it.each([
    `Endpoint=sb://emulator.example;${key};${emulator}`,
    `Endpoint=sb://10.0.0.5:5672;${key};${emulator};`,
    `Endpoint=sb://[fd00::1]:5672;${key};${emulator}`,
    `Endpoint=sb://localhost.example;${key};${emulator}`,
    `${emulator} ; Endpoint=sb://emulator.example ; ${key}`,
    `Endpoint=sb://localhost;Endpoint=sb://emulator.example;${key};${emulator}`,
    // The client uses the text after the last "://" as the host.
    `Endpoint=sb://localhost/://emulator.example;${key};${emulator}`,
  ])('is rejected elsewhere: %s', (connectionString) => {
    expect(() => open(connectionString)).toThrow(plaintextRejected);
    expect(() => open(connectionString)).not.toThrow(/hunter2/);
  });
});

describe('a namespace', () => {
  it('is reached with TLS anywhere', () => {
    expect(() => open(`Endpoint=sb://shop.servicebus.windows.net/;${key}`)).not.toThrow();
    expect(() => open(`Endpoint=sb://shop.servicebus.windows.net/;${key};UseDevelopmentEmulator=false`)).not.toThrow();
  });

  it('cannot turn TLS off in its name', () => {
    const credential = { getToken: () => Promise.resolve(null) };
    const named = (fullyQualifiedNamespace: string) => clientsOf({ fullyQualifiedNamespace, credential }, {});
    expect(() => named('shop.servicebus.windows.net')).not.toThrow();
    expect(() => named(`shop.example/;${emulator};x=`)).toThrow(
      expect.objectContaining({ code: 'SVC_TRANSPORT_MISCONFIGURED' }),
    );
  });
});
