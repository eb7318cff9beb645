import type { RequestLog } from './host.js';

/** Writes failed requests to the console, each as a line of JSON. Rejected requests are the fault of their clients. */
export const consoleLog: RequestLog = {
  info() {},
  error(fields, message) {
    console.error(JSON.stringify({ level: 'error', time: new Date().toISOString(), message, ...fields }));
  },
};
