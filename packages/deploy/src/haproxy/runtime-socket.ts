import { connect, type Socket } from 'node:net';
import { DeployError } from '../deploy-error.js';

/** HAProxy's runtime API: one connection per command line, which HAProxy closes after its answer. */
export class RuntimeSocket {
  readonly #address: string;
  readonly #timeoutMs: number;

  /** @param address the path of a socket, or `host:port` */
  constructor(address: string, timeoutMs = 5000) {
    this.#address = address;
    this.#timeoutMs = timeoutMs;
  }

  ask(command: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = this.open(command);
      const chunks: Buffer[] = [];
      socket.setTimeout(this.#timeoutMs, () => socket.destroy(new Error(`no answer in ${this.#timeoutMs} ms`)));
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      const lost = (why: string, cause?: Error): void =>
        reject(
          new DeployError('unreachable', `HAProxy at ${this.#address}: ${why}. Check that HAProxy is running.`, {
            cause,
          }),
        );
      socket.on('error', (error) => lost(error.message, error));
      socket.on('end', () => {
        // HAProxy answers every command, at least with an empty line. Without an answer the outcome is unknown.
        if (chunks.length === 0) lost('closed without an answer');
        else resolve(Buffer.concat(chunks).toString('utf8'));
      });
    });
  }

  /** Runs commands that change something. They return nothing, or an error. */
  async send(commands: readonly string[]): Promise<void> {
    if (commands.length === 0) return;
    // One line, so that no other command runs in between.
    const answer = (await this.ask(commands.join(';'))).trim();
    if (answer !== '') throw new DeployError('refused', `HAProxy rejected "${commands.join('; ')}": ${answer}`);
  }

  /** A connection that HAProxy keeps sending to. */
  open(command: string): Socket {
    const [, host, port] = /^([^/]+):(\d+)$/.exec(this.#address) ?? [];
    const socket = host === undefined ? connect(this.#address) : connect(Number(port), host);
    socket.write(`${command}\n`);
    return socket;
  }
}
