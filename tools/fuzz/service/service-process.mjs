import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const probe = new URL('probe.mjs', import.meta.url).href;
export const ordersEntry = fileURLToPath(new URL('../../../examples/orders/dist/main.js', import.meta.url));

const startMs = 60_000;
const stopMs = 60_000;
const errorLevel = 50;

/** The service in a separate process, on a free loopback port. It is stopped by its process id. */
export class ServiceProcess {
  port = 0;
  /** Whether it exited unexpectedly. */
  hasEnded = false;
  #child;
  #onError;
  #isStopping = false;

  /** `onError` is called with each error line of the service's log, and its trace id. */
  constructor(child, onError) {
    this.#child = child;
    this.#onError = onError;
  }

  /** Starts the program `entry` in `folder`, where its log is written. */
  static async start({ entry = ordersEntry, folder, environment, onError }) {
    const child = spawn(process.execPath, ['--expose-gc', '--import', probe, entry], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DRAIN_NOTICE_MS: '0', ...environment },
    });
    const service = new ServiceProcess(child, onError);
    service.#follow(createWriteStream(join(folder, 'service.log')));
    const timer = setTimeout(() => child.kill('SIGKILL'), startMs);
    await new Promise((resolve, reject) => {
      service.#onPort = resolve;
      child.once('exit', (code, signal) => reject(new Error(`The service did not start: ${code ?? signal}.`)));
    });
    clearTimeout(timer);
    return service;
  }

  #onPort = () => {};

  /** Its memory after a full garbage collection, in bytes. */
  async memory() {
    if (this.hasEnded) return null;
    this.#child.send('memory');
    const [memory] = await once(this.#child, 'message', { signal: AbortSignal.timeout(30_000) });
    return memory;
  }

  /** Stops it and returns what is wrong with its exit; null if nothing is. */
  async stop() {
    if (this.hasEnded) return null;
    this.#isStopping = true;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopMs);
    const [code, signal] = await ended;
    clearTimeout(timer);
    return code === 0 ? null : `The service ended with ${code ?? signal} when it was asked to stop.`;
  }

  /** Kills it at once. */
  kill() {
    this.#isStopping = true;
    this.#child.kill('SIGKILL');
  }

  #follow(log) {
    const { stdout, stderr } = this.#child;
    createInterface({ input: stdout }).on('line', (line) => {
      log.write(`${line}\n`);
      this.#readLine(line);
    });
    createInterface({ input: stderr }).on('line', (line) => {
      log.write(`${line}\n`);
      if (!/ExperimentalWarning|--trace-warnings/.test(line)) this.#onError(line, null);
    });
    this.#child.once('exit', (code, signal) => {
      this.hasEnded = true;
      log.end();
      if (!this.#isStopping) this.#onError(`The service ended with ${code ?? signal}.`, null);
    });
  }

  #readLine(line) {
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\/openapi\.json/.exec(line) ?? [];
    if (port !== undefined) {
      this.port = Number(port);
      this.#onPort();
    }
    if (!line.startsWith('{')) return;
    const { level, traceId = null } = JSON.parse(line);
    if (level >= errorLevel) this.#onError(line, traceId);
  }
}
