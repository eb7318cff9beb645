import type { RequestLog } from './host.js';

/** Writes failed requests to the console, each as a line of JSON. It needs no process, so that it works on every host. */
export const consoleLog: RequestLog = failuresOf({
  error: (fields, message) => console.error(logLine('error', fields, message)),
});

/** A log without rejected requests, which are the fault of their clients. */
export function failuresOf(log: Pick<RequestLog, 'error'>): RequestLog {
  return { info() {}, error: (fields, message) => log.error(fields, message) };
}

/** An entry as a line of JSON. */
export function logLine(level: 'info' | 'error', fields: object, message: string): string {
  return JSON.stringify({ level, time: new Date().toISOString(), message, ...fields });
}
