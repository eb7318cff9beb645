import { expect, it } from 'vitest';
import { answerError } from './answer-error.js';
import type { HostReply, HostRequest } from './host.js';
import { requestProperty, type HttpRequest } from './http-request.js';

/** The level of the log line for an error after the client has disconnected. */
function levelOf(error: Error, isLive: boolean): string {
  const levels: string[] = [];
  const log = { info: () => levels.push('info'), error: () => levels.push('error') };
  let isHijacked = false;
  const reply = { hijack: () => (isHijacked = true) } as unknown as HostReply;
  const known = { isGone: true, isLive, commandFailed: false } as HttpRequest;
  const request = { [requestProperty]: known, log, headers: {}, raw: { headers: {} } } as unknown as HostRequest;
  answerError(request, reply, error, []);
  expect(isHijacked).toBe(true);
  expect(levels).toHaveLength(1);
  return levels[0]!;
}

const closed = Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' });

it('logs at level info that a live query ended because its client disconnected', () => {
  expect(levelOf(closed, true)).toBe('info');
});

it('logs failures after a disconnect at level error, also those of a stream that a command has read', () => {
  expect(levelOf(closed, false)).toBe('error');
  expect(levelOf(new Error('the disk is full'), true)).toBe('error');
});
