import { describe, expect, it } from 'vitest';
import { processLog } from './process-log.js';

function logOn(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string): void => void written.push(text) };
  return { log: processLog(stream, stream), written };
}

describe('processLog', () => {
  it('writes a line of JSON with level and time', () => {
    const { log, written } = logOn(false);
    log.info({ url: 'http://127.0.0.1:3000' }, 'listening');
    expect(JSON.parse(written.join(''))).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      message: 'listening',
      url: 'http://127.0.0.1:3000',
    });
  });

  it('writes text on a terminal, with the stack of an error', () => {
    const { log, written } = logOn(true);
    log.info({ url: 'http://127.0.0.1:3000' }, 'listening');
    log.error(
      { traceId: 'a1', err: { name: 'Error', message: 'full', stack: 'Error: full\n    at disk' } },
      'request failed',
    );
    expect(written).toEqual([
      'listening url=http://127.0.0.1:3000\n',
      'request failed traceId=a1\nError: full\n    at disk\n',
    ]);
  });
});
