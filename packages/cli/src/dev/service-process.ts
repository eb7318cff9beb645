import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../package-folder.js';
import type { ServiceMessage } from './messages.js';

/** What happens to the process of the service. */
export interface ServiceListener {
  received(message: ServiceMessage): void;
  /** It ended, and `stop` was not called. */
  failed(reason: string): void;
}

/** A service that does not stop within this time is killed. */
const stopMs = 5000;
const reporter = pathToFileURL(join(packageFolder, 'dist/dev/reporter.js')).href;

/** One process of the service. It loads packages at once, and the service when `start` is called. Its output is that of `svc dev`. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #isStopping = false;

  constructor(directory: string, program: string, listener: ServiceListener) {
    const environment = join(directory, '.env');
    const args = [
      '--enable-source-maps',
      ...(existsSync(environment) ? [`--env-file=${environment}`] : []),
      '--import',
      reporter,
      program,
    ];
    // No load balancer has to notice that it stops. `run` leaves the lines about start and stop to this command.
    const env = { DRAIN_NOTICE_MS: '0', ...process.env, SVC_DEV: '1' };
    const child = spawn(process.execPath, args, {
      cwd: directory,
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    child.on('message', (message) => listener.received(message as ServiceMessage));
    this.#ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        resolve();
        if (!this.#isStopping) listener.failed(reason);
      };
      child.once('error', (error) => end(`cannot be started: ${error.message}`));
      child.once('exit', (code, signal) =>
        end(signal === null ? `ended with exit code ${code}` : `ended by ${signal}`),
      );
    });
  }

  start(): void {
    this.#child.send('start', () => {});
  }

  /** Resolves when the process has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopMs);
    await this.#ended;
    clearTimeout(timer);
  }
}
