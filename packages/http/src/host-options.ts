import type { RequestLog } from './host.js';
import type { SvcOptions } from './options.js';
import type { HealthProbesOptions, MetricsOptions, MetricsSource } from './routes/index.js';

/** The options of `serve`, `nodeHandler` and `fetchHandler`. */
export interface HostOptions extends SvcOptions {
  /** The beginning of all paths, such as `/api`. Default: none. */
  readonly prefix?: string;
  /** The paths of the health probes; false: none. */
  readonly health?: HealthProbesOptions | false;
  /** Serves metrics, and measures the requests of this service. Default: none. */
  readonly metrics?: MetricsOptions & { readonly source: MetricsSource };
  /** Where failed requests (`error`) and rejected ones (`info`) are logged, such as a logger of pino. Default: failures, on the console. */
  readonly log?: RequestLog;
}
