/**
 * A keep-alive connection that sends the same request repeatedly, each after the previous response. It uses `node:net` and parses as
 * little as possible: on a small machine the load must cost less than the server. The first request is sent when the connection opens.
 */
import { connect } from 'node:net';

const [two, zero] = [0x32, 0x30];

/**
 * @param {number} port
 * @param {Buffer} request
 * @param {{ answered: () => boolean, failed: (error: Error) => void }} listener `answered` says whether to go on
 * @returns {{ send: () => void, firstAnswer: () => string, close: () => void }}
 */
export function openConnection(port, request, { answered, failed }) {
  let first = '';
  let pending = '';
  // All responses of a server have the same length. A 200 with that length needs no parsing.
  let usualLength = -1;

  const socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: { buffer: Buffer.allocUnsafe(16_384), callback: received },
  });
  socket.once('connect', () => socket.write(request));
  socket.once('error', failed);
  socket.once('close', () => failed(new Error('The server closed a connection.')));

  /**
   * @param {number} length
   * @param {Uint8Array} bytes
   */
  function received(length, bytes) {
    const isUsual = length === usualLength && bytes[9] === two && bytes[10] === zero && bytes[11] === zero;
    if ((isUsual && pending === '') || completes(Buffer.from(bytes.buffer, bytes.byteOffset, length))) {
      if (answered()) socket.write(request);
    }
    return true;
  }

  /** @param {Buffer} bytes */
  function completes(bytes) {
    pending += bytes.toString('latin1');
    const bodyStart = pending.indexOf('\r\n\r\n') + 4;
    if (bodyStart === 3) return false;
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(pending) ?? [];
    const [, contentLength] = /\r\ncontent-length: *(\d+)/i.exec(pending.slice(0, bodyStart)) ?? [];
    if (status !== '200' || contentLength === undefined) {
      failed(new Error(`Expected 200 with a Content-Length, found:\n${pending.slice(0, 1_000)}`));
      return false;
    }
    const total = bodyStart + Number(contentLength);
    if (pending.length < total) return false;
    if (pending.length > total) failed(new Error('The server sent more than it announced.'));
    if (first === '') first = pending.slice(bodyStart);
    usualLength = total;
    pending = '';
    return true;
  }

  return {
    send: () => void socket.write(request),
    firstAnswer: () => first,
    close() {
      socket.removeAllListeners('close').destroy();
    },
  };
}
