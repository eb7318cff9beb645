import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { reportToLog } from './report-to-log.js';
import { structuredLogs } from './structured-logs.js';

type Line = Readonly<Record<string, unknown>>;

function log(options: Parameters<typeof structuredLogs>[0] = {}) {
  const lines: Line[] = [];
  const stream = { write: (text: string): void => void lines.push(JSON.parse(text) as Line) };
  return { app: Fastify(structuredLogs({ ...options, stream })), lines };
}

describe('a line', () => {
  it('hides fields with secret names at any depth, and secrets in texts', () => {
    const { app, lines } = log();
    app.log.info(
      {
        password: 'hunter2',
        nested: { 'Set-Cookie': ['hunter2'], apiKey: 'hunter2', list: [{ access_token: 'hunter2' }] },
        url: 'amqp://guest:hunter2@mq',
        failed: Object.assign(new Error('token=hunter2'), { config: 'hunter2' }),
        kept: { tokens: 3, passwordChanged: true, when: new Date(0), orderId: 'x' },
      },
      'Bearer hunter2',
    );
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(lines[0]).toMatchObject({
      password: '***',
      nested: { 'Set-Cookie': '***', apiKey: '***', list: [{ access_token: '***' }] },
      url: 'amqp://***@mq',
      kept: { tokens: 3, passwordChanged: true, when: '1970-01-01T00:00:00.000Z', orderId: 'x' },
      msg: 'Bearer ***',
    });
  });

  it('is written without values that are nested too deeply or circular', () => {
    const { app, lines } = log();
    const round: Record<string, unknown> = { name: 'x' };
    round['self'] = round;
    app.log.info({ round }, 'round');
    app.log.info('%s came with %s', 'ann', 'Bearer hunter2');
    expect(lines).toMatchObject([{ msg: 'round' }, { msg: 'ann came with Bearer ***' }]);
  });

  it.each([
    ['an error', (error: Error): object => error],
    ['an error as a field', (error: Error): object => ({ err: error })],
  ])('of only %s has its text without secrets', (_name, given) => {
    const { app, lines } = log();
    app.log.error(given(new TypeError('password=hunter2 was refused')));
    expect(lines[0]).toMatchObject({
      msg: 'password=*** was refused',
      err: { type: 'TypeError', message: 'password=*** was refused' },
    });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('that is written in a span has its ids', () => {
    const { app, lines } = log({ activeTrace: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }) });
    app.log.info('in a span');
    expect(lines[0]).toMatchObject({ trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) });
    const without = log({ activeTrace: () => undefined });
    without.app.log.info('in none');
    expect(Object.keys(without.lines[0]!)).toEqual(['level', 'time', 'pid', 'hostname', 'msg']);
  });
});

it('prefers the trace of the active span to the one that the caller sent', async () => {
  const active = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const { app, lines } = log({ activeTrace: () => active });
  app.get('/', () => 'ok');
  const headers = { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` };
  await app.inject({ url: '/?token=hunter2', headers });
  expect(lines.map((line) => line['traceId'])).toEqual([active.traceId, active.traceId]);
  expect(lines[0]?.['req']).toEqual({ method: 'GET', path: '/', host: 'localhost:80', remoteAddress: '127.0.0.1' });
});

it('logs failures in the background, with the part they come from', () => {
  const { app, lines } = log();
  reportToLog(app.log)(Object.assign(new Error('secret=hunter2'), { headers: 'hunter2' }), 'outbox.transport');
  expect(lines[0]).toMatchObject({
    level: 50,
    part: 'outbox.transport',
    msg: 'failed in the background',
    err: { type: 'Error', message: 'secret=***' },
  });
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});
