import { describe, expect, it } from 'vitest';
import { loggedError } from './logged-error.js';
import { scrubbedText } from './scrubbed-text.js';
import { ServiceError } from './service-error.js';
import { ValidationError } from './validation-error.js';

describe('scrubbedText', () => {
  it.each([
    ['connect to postgres://svc:hunter2@db:5432/orders failed', 'connect to postgres://***@db:5432/orders failed'],
    ['amqps://guest:a%40b@mq/%2f', 'amqps://***@mq/%2f'],
    ['GET http://hunter2@host/x', 'GET http://***@host/x'],
    ['Route GET:/reset?token=hunter2&user=ann not found', 'Route GET:/reset?*** not found'],
    ['sent "Authorization: Bearer abc.def-hunter2"', 'sent "Authorization: Bearer ***"'],
    ['sent Authorization: Basic YW5uOmh1bnRlcjI=', 'sent Authorization: Basic ***'],
    ['authorization=hunter2', 'authorization=***'],
    ['Host=db;Username=svc;Password=hunter2;Port=1', 'Host=db;Username=svc;Password=***;Port=1'],
    ['{"user":"ann","password":"hunter2"}', '{"user":"ann","password":"***"}'],
    ["{ apiKey: 'hunter2' }", "{ apiKey: '***' }"],
    ['x-api-key: hunter2', 'x-api-key: ***'],
    ['Cookie: session=hunter2', 'Cookie: ***'],
    ['refresh_token=hunter2', 'refresh_token=***'],
  ])('removes the secret from %s', (text, scrubbed) => expect(scrubbedText(text)).toBe(scrubbed));

  it.each([
    'Is it there? Yes.',
    'Order 0192d3c5 was not found at /orders/0192d3c5.',
    'Unexpected token in JSON at position 4',
    'see https://example.com/docs for more',
    'a basic mistake',
  ])('leaves a text without secrets unchanged: %s', (text) => expect(scrubbedText(text)).toBe(text));

  it('truncates a long text, and scans it in bounded time', () => {
    const started = process.cpuUsage();
    for (const piece of [
      'a://',
      'token ',
      '/',
      '?',
      '?a',
      'Bearer ',
      'password"',
      '@',
      'x-api-',
      'a',
      'token  ',
      "'",
    ]) {
      expect(scrubbedText(piece.repeat(200_000)).length).toBeLessThan(30_000);
    }
    // Microseconds of this process only: other processes may be busy.
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});

describe('loggedError', () => {
  it('returns name, code, message and stack, with the stacks of the causes', () => {
    const error = new ServiceError('SVC_STORAGE_UNAVAILABLE', 'away', { cause: new TypeError('password=hunter2') });
    const logged = loggedError(error);
    expect(Object.keys(logged)).toEqual(['name', 'message', 'code', 'stack']);
    expect(logged).toMatchObject({ name: 'ServiceError', message: 'away', code: 'SVC_STORAGE_UNAVAILABLE' });
    expect(logged.stack).toContain('logged-error.test');
    expect(logged.stack).toContain('caused by: TypeError: password=***');
  });

  it('drops every other property', () => {
    const error = Object.assign(new Error('no'), { config: { headers: { authorization: 'hunter2' } } });
    expect(JSON.stringify(loggedError(error))).not.toContain('hunter2');
  });

  it.each([
    'hunter2',
    '{"password": hunter2}',
    '{"a":1}hunter2',
    `{"password": hunter2${'x'.repeat(500)}}`,
    '"hunter2',
    '\nhunter2\n',
  ])('does not show any part of a text that is not JSON: %j', (text) => {
    const parse = (): unknown => JSON.parse(text);
    expect(parse).toThrow(SyntaxError);
    try {
      parse();
    } catch (cause) {
      const message = `The body is not JSON: ${(cause as Error).message}.`;
      const logged = loggedError(new ServiceError('SVC_MALFORMED_JSON', message, { cause }));
      expect(JSON.stringify(logged)).not.toContain('hunter2');
      expect(logged.message).toContain('JSON');
    }
  });

  it('does not name the properties of an invalid message, which callers choose', () => {
    const error = new ValidationError([{ pointer: '/hunter2', detail: 'is not known' }]);
    expect({ ...loggedError(error) }).toEqual({
      name: 'ValidationError',
      message: 'The message has 1 issue.',
      code: 'SVC_INVALID_MESSAGE',
    });
  });

  it('stops at a cycle of causes, and shows nothing of a value that is not an error', () => {
    const error = new Error('round');
    error.cause = error;
    expect(loggedError(error).stack?.match(/caused by/g)).toHaveLength(5);
    expect(loggedError({ password: 'hunter2' })).toEqual({
      name: 'object',
      message: 'Something that is not an error was thrown.',
    });
  });
});
