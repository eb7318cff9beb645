import type { IncomingMessage } from 'node:http';
import { scrubbedText } from '@svc/core/hosting';
import { traceIdOf } from '@svc/http';
import { LogController, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { pathOf } from '../problems/index.js';
import { scrubbedFields } from './scrubbed-fields.js';

/** The span that is active. */
export interface ActiveTrace {
  readonly traceId: string;
  readonly spanId: string;
}

export interface StructuredLogsOptions {
  /** The least level that is written. Default: `info`. */
  readonly level?: string;
  /** Where lines go, each a JSON object. Default: standard output. */
  readonly stream?: { write(line: string): void };
  /** The span that is active, if one is: `activeTrace` of `@svc/telemetry`. Default: none ever is. */
  readonly activeTrace?: () => ActiveTrace | undefined;
}

/** What `structuredLogs` sets of Fastify's options. */
export type StructuredLogs = Required<Pick<FastifyServerOptions, 'logger' | 'genReqId' | 'logController'>>;

/**
 * Options for Fastify: `Fastify(structuredLogs({ level: 'info' }))`. Every line of a request has its `traceId`, the one that problems name;
 * lines that are written in a span have its `trace_id` and `span_id` as well. Secrets are not written: no header, no query of a URL, no
 * property of an error, no field whose name says that it is one.
 */
export function structuredLogs({ level = 'info', stream, activeTrace }: StructuredLogsOptions = {}): StructuredLogs {
  return {
    logController: new LogController({ requestIdLogLabel: 'traceId' }),
    genReqId: ({ headers }: Pick<IncomingMessage, 'headers'>) => activeTrace?.()?.traceId ?? traceIdOf({ headers }),
    logger: {
      level,
      ...(stream !== undefined && { stream }),
      ...(activeTrace !== undefined && { mixin: () => traceFields(activeTrace()) }),
      serializers: { req: loggedRequest },
      formatters: { log: scrubbedFields },
      hooks: {
        logMethod(given, method) {
          method.apply(this, scrubbedArguments(given) as Parameters<typeof method>);
        },
      },
    },
  };
}

/** Under the names that OpenTelemetry's own instrumentations of loggers use. */
function traceFields(active: ActiveTrace | undefined): object {
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

function loggedRequest(request: FastifyRequest): Record<string, unknown> {
  return {
    method: request.method,
    // Without its query: tokens and passwords are put there, too.
    path: scrubbedText(pathOf(request)),
    host: request.host,
    remoteAddress: request.ip,
  };
}

/** The texts of a call. An error that is given without one would be told of by its own, as it is. */
function scrubbedArguments([first, ...rest]: readonly unknown[]): unknown[] {
  const texts = rest.map((item) => (typeof item === 'string' ? scrubbedText(item) : item));
  if (first instanceof Error) return [{ err: first }, ...(texts.length === 0 ? [scrubbedText(first.message)] : texts)];
  if (typeof first === 'string') return [scrubbedText(first), ...texts];
  const isErrorAlone =
    texts.length === 0 && typeof first === 'object' && first !== null && 'err' in first && first.err instanceof Error;
  return isErrorAlone ? [first, scrubbedText((first.err as Error).message)] : [first, ...texts];
}
