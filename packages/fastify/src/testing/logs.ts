import type { FastifyServerOptions } from 'fastify';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly traceId?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
}

/** A logger for `Fastify({ logger })` and the lines it wrote. */
export function capturedLog(): { logger: NonNullable<FastifyServerOptions['logger']>; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write = (text: string): void => void lines.push(JSON.parse(text) as LogLine);
  return { logger: { level: 'debug', stream: { write } }, lines };
}

export const level = { info: 30, error: 50 } as const;
