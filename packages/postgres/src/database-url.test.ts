import { describe, expect, it } from 'vitest';
import { databaseAddress, databaseSecrets, parseDatabaseUrl } from './database-url.js';
import { postgres } from './postgres-storage.js';

describe('a URL with several hosts', () => {
  it.each([
    [
      'postgres://ann:secret@a:5432,b:5433/orders?target_session_attrs=read-write&sslmode=disable',
      ['postgres://ann:secret@a:5432/orders?sslmode=disable', 'postgres://ann:secret@b:5433/orders?sslmode=disable'],
    ],
    ['postgresql://a,b/orders', ['postgresql://a/orders', 'postgresql://b/orders']],
    [
      'postgres://ann@[fd00::2]:5432,[::1]/orders',
      ['postgres://ann@[fd00::2]:5432/orders', 'postgres://ann@[::1]/orders'],
    ],
    ['postgres://a:p,w@x,y/orders', ['postgres://a:p,w@x/orders', 'postgres://a:p,w@y/orders']],
    ['postgres:///orders?host=a,b&port=1,2', ['postgres:///orders?host=a&port=1', 'postgres:///orders?host=b&port=2']],
    ['postgres:///orders?host=a,b&port=1', ['postgres:///orders?host=a&port=1', 'postgres:///orders?host=b&port=1']],
  ])('names them in order: %s', (url, urls) => expect(parseDatabaseUrl(url).urls).toEqual(urls));

  it('requires what target_session_attrs states, by default nothing', () => {
    expect(parseDatabaseUrl('postgres://a,b/x').sessionAttributes).toBe('any');
    expect(parseDatabaseUrl('postgres://a,b/x?target_session_attrs=any').sessionAttributes).toBe('any');
    expect(parseDatabaseUrl('postgres://a/x?target_session_attrs=read-write')).toEqual({
      urls: ['postgres://a/x'],
      sessionAttributes: 'read-write',
    });
  });

  it('is rejected if one of its remote hosts has no TLS', () => {
    const url = 'postgres://ann:hunter2@localhost,db.example/orders';
    expect(() => postgres({ url })).toThrow(
      expect.objectContaining({
        code: 'SVC_PLAINTEXT_REFUSED',
        message: expect.stringContaining('db.example') as string,
      }),
    );
  });

  it('is displayed without the user, the password and the parameters', () => {
    const url = 'postgres://ann:hunter%32@a:5432,b:5433/orders?sslmode=disable';
    expect(databaseAddress(url)).toBe('a:5432,b:5433/orders');
    expect(databaseAddress('postgres:///orders?host=a,b&port=1')).toBe('a:1,b:1/orders');
    expect(databaseSecrets(url)).toEqual(['hunter%32', 'hunter2']);
  });
});

describe('a URL with one host', () => {
  it.each([
    'postgres://ann@a:5432/orders?options=-c a=b',
    'postgres:///x',
    '/var/run/postgresql orders',
    'socket:/x?db=y',
  ])('stays as it is: %s', (url) => expect(parseDatabaseUrl(url)).toEqual({ urls: [url], sessionAttributes: 'any' }));
});

it.each([
  ['', 'the URL is empty. Set DATABASE_URL to postgres://user:password@host:port/database'],
  [undefined as unknown as string, 'the URL is empty'],
  ['mysql://ann:hunter2@a/orders', 'the URL does not begin with postgres://'],
  ['ann:hunter2@a/orders', 'the URL does not begin with postgres://'],
  ['postgres://ann:hunter2@a,b/x?target_session_attrs=standby', 'target_session_attrs must be "any" or "read-write"'],
  ['postgres://ann:hunter2@/x?host=a,b,c&port=1,2', '3 hosts and 2 ports'],
  ['postgres://ann:hunter2@a:port,b/x', 'Invalid URL'],
])('rejects %s without its password', (url, why) => {
  expect(() => postgres({ url })).toThrow(
    expect.objectContaining({
      code: 'SVC_STORAGE_MISCONFIGURED',
      message: expect.stringContaining(why) as string,
    }),
  );
  expect(() => postgres({ url })).not.toThrow(/hunter2/);
});
