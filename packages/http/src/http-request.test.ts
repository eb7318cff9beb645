import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import type { RawRequest } from './client-connection.js';
import { callerOf, requestOf, type RequestOwner } from './http-request.js';

/** The part of a socket that requests use. */
class Socket extends EventEmitter {
  destroyed = false;

  close(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const over = (socket: Socket): RequestOwner => ({ raw: { httpVersionMajor: 1, socket } as unknown as RawRequest });

it('is the same object for every part of svc', () => {
  const host = over(new Socket());
  expect(requestOf(host)).toBe(requestOf(host));
});

it('has no caller before authentication, and callerOf does not create it', () => {
  const host = over(new Socket());
  expect(callerOf(host)).toBeNull();
  expect(host.svcRequest).toBeUndefined();
});

it('is aborted if the client disconnects between its begin and its end', () => {
  const socket = new Socket();
  const [waiting, running, ended] = [over(socket), over(socket), over(socket)].map(requestOf);
  running!.begin();
  ended!.begin();
  ended!.end();
  expect(socket.listenerCount('close')).toBe(1);
  socket.close();
  expect([waiting!.aborted, running!.aborted, ended!.aborted]).toEqual([false, true, false]);
});

it('is aborted at its begin if the client has already disconnected', () => {
  const socket = new Socket();
  socket.close();
  const request = requestOf(over(socket));
  request.begin();
  expect([request.isGone, request.aborted]).toEqual([true, true]);
});
