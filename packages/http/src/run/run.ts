import { isLoopback, type Service } from '@svc/core';
import { loggedError } from '@svc/core/hosting';
import { failuresOf } from '../console-log.js';
import { drainOnSignals, type HostDrain } from '../drain/index.js';
import type { RequestLog } from '../host.js';
import { serve, type ServedHost, type ServeOptions } from '../node/serve.js';
import { addressFrom } from './environment.js';
import { processLog } from './process-log.js';
import { startFailure } from './start-failure.js';

/** The options of `run`. */
export interface RunOptions extends ServeOptions {
  /** Default: the variable `PORT`, or 3000. 0 uses a free port. */
  readonly port?: number;
  /** The address to listen on. Default: the variable `HOST`, or `127.0.0.1`, this machine only. Use `0.0.0.0` in a container. */
  readonly host?: string;
  /**
   * Receives failed and rejected requests, failures in the background, and the start and stop of the service, such as a logger of pino. Default: lines
   * of JSON on the standard streams, or text if they are a terminal; rejected requests are not logged.
   */
  readonly log?: RequestLog;
}

/**
 * Runs a service as a process: `await run(service)`. It serves the service with limits and health probes, logs, and drains on SIGTERM and
 * SIGINT. If the start fails, it logs the reason and ends the process with exit code 1. Use `serve` in a program that does more.
 */
export async function run<TServices extends object>(
  service: Service<TServices>,
  options: RunOptions = {},
): Promise<ServedHost> {
  const { log = processLog() } = options;
  const requests = options.log ?? failuresOf(log);
  service.reportByDefault((error, part) => log.error({ err: loggedError(error), part }, 'failed in the background'));
  let address = { host: '', port: 0 };
  try {
    address = addressFrom(options, process.env);
    const host = await serve(service, { ...options, ...address, log: requests });
    // `svc dev` prints where the service listens, and restarts it all the time.
    const isQuiet = process.env['SVC_DEV'] === '1';
    drainOnSignals(isQuiet ? host.drain : loggedDrain(host.drain, log));
    if (!isQuiet) log.info({ url: host.url }, 'listening');
    if (service.access.isOpen && !isLoopback(address.host)) log.info({ url: host.url }, openToAll);
    return host;
  } catch (error) {
    const reason = startFailure(error, address);
    if (reason === null) log.error({ err: loggedError(error) }, 'The service did not start.');
    else log.error({}, `The service did not start. ${reason}`);
    process.exit(1);
  }
}

const openToAll =
  'Callers do not authenticate: everyone who can reach this address may run all commands and read all models.';

function loggedDrain(drain: HostDrain, log: RequestLog): Pick<HostDrain, 'drain'> {
  return {
    async drain(noticeMs) {
      log.info({ requests: drain.running }, 'stopping');
      const outcome = await drain.drain(noticeMs);
      log.info({ clean: outcome.clean, cut: outcome.cut }, 'stopped');
      return outcome;
    },
  };
}
