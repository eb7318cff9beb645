import type { loggedError } from '@svc/core/hosting';
import { logLine } from '../console-log.js';
import type { RequestLog } from '../host.js';

/** A stream that is a terminal, or not. */
export interface LogStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Writes a line of JSON for each entry; on a terminal, readable text. Failures go to the second stream. */
export function processLog(out: LogStream = process.stdout, errors: LogStream = process.stderr): RequestLog {
  const write = (stream: LogStream, level: 'info' | 'error', fields: object, message: string): void => {
    const line = stream.isTTY === true ? readable(fields, message) : logLine(level, fields, message);
    stream.write(`${line}\n`);
  };
  return {
    info: (fields, message) => write(out, 'info', fields, message),
    error: (fields, message) => write(errors, 'error', fields, message),
  };
}

function readable(fields: object, message: string): string {
  const { err, ...rest } = fields as { err?: ReturnType<typeof loggedError> } & Record<string, unknown>;
  const values = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const error = err === undefined ? '' : `\n${err.stack ?? `${err.name}: ${err.message}`}`;
  return message + values.join('') + error;
}
