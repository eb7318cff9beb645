import { reportToConsole, ServiceError } from '@svc/core';
import type { HostDrain } from './drain.js';

/**
 * Drains the host on SIGTERM from the platform, and on SIGINT (Ctrl-C) without the notice. The same signal again ends the process at once.
 * `DRAIN_NOTICE_MS`, which the manifests of `svc deploy` set, takes precedence over the `noticeMs` of the drain.
 */
export function drainOnSignals(drain: Pick<HostDrain, 'drain'>): void {
  const noticeMs = noticeOf(process.env['DRAIN_NOTICE_MS']);
  const begin = (notice?: number): void => {
    drain.drain(notice).then(
      ({ clean, cut }) => {
        if (clean) return;
        const left = cut === 0 ? 'the service had not stopped' : `${cut} requests were running`;
        console.error(`The drain ended at its limit: ${left}.`);
        process.exit(1);
      },
      (error: unknown) => {
        reportToConsole(error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', () => begin(noticeMs));
  process.once('SIGINT', () => begin(0));
}

/** Reads `DRAIN_NOTICE_MS`. Fails at startup, not when the host stops. */
function noticeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ServiceError(
    'SVC_INVALID_SETTING',
    `DRAIN_NOTICE_MS must be a number of milliseconds, not "${text.slice(0, 50)}".`,
  );
}
