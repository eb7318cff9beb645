import type { IncomingMessage } from 'node:http';
import { scrubbedText } from '@svc/core/hosting';
import { pathOf, traceIdOf } from '@svc/http/hosting';
import { LogController, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { scrubbedFields } from './scrubbed-fields.js';

/** The active span. */
export interface ActiveTrace {
  readonly traceId: string;
  readonly spanId: string;
}

/** The options of `structuredLogs`. */
export interface StructuredLogsOptions {
  /** The lowest level that is logged. Default: `info`. */
  readonly level?: string;
  /** The destination of the lines, each a JSON object. Default: standard output. */
  readonly stream?: { write(line: string): void };
  /** Returns the active span, if any: `activeTrace` of `@svc/telemetry`. Default: none. */
  readonly activeTrace?: () => ActiveTrace | undefined;
}

/** The Fastify options that `structuredLogs` sets. */
export type StructuredLogs = Required<Pick<FastifyServerOptions, 'logger' | 'genReqId' | 'logController'>>;

/**
 * Returns Fastify options for JSON logs: `Fastify(structuredLogs({ level: 'info' }))`. Every line of a request has its `traceId`, the same as in
 * problems; lines within a span also have its `trace_id` and `span_id`. Secrets are not logged: no headers, no URL queries, no properties of
 * errors, no fields with a secret name.
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

/** The same names as those of OpenTelemetry's logger instrumentations. */
function traceFields(active: ActiveTrace | undefined): object {
  return active === undefined ? {} : { trace_id: active.traceId, span_id: active.spanId };
}

function loggedRequest(request: FastifyRequest): Record<string, unknown> {
  return {
    method: request.method,
    // Without the query, which can contain tokens and passwords.
    path: scrubbedText(pathOf(request)),
    host: request.host,
    remoteAddress: request.ip,
  };
}

/** Scrubs the texts of a call. For an error without a text the logger would use the unscrubbed message of the error. */
function scrubbedArguments([first, ...rest]: readonly unknown[]): unknown[] {
  const texts = rest.map((item) => (typeof item === 'string' ? scrubbedText(item) : item));
  if (first instanceof Error) return [{ err: first }, ...(texts.length === 0 ? [scrubbedText(first.message)] : texts)];
  if (typeof first === 'string') return [scrubbedText(first), ...texts];
  const isErrorAlone =
    texts.length === 0 && typeof first === 'object' && first !== null && 'err' in first && first.err instanceof Error;
  return isErrorAlone ? [first, scrubbedText((first.err as Error).message)] : [first, ...texts];
}
