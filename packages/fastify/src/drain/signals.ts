import { reportToConsole } from '@svc/core';
import type { Drain } from './drain.js';

/**
 * Drains when the platform asks for it (SIGTERM) or somebody presses Ctrl-C (SIGINT, without the notice: there is no traffic to turn
 * away). The same signal again ends the process at once. How long whoever sends the traffic needs to notice is known to the platform: when it
 * sets `DRAIN_NOTICE_MS`, as the manifests of `svc deploy` do, that goes before the `noticeMs` of the drain.
 */
export function drainOnSignals(drain: Drain): void {
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

/** Thrown at the start, and not when the host is to end. */
function noticeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`DRAIN_NOTICE_MS must be a number of milliseconds, not "${text}".`);
  return Number(text);
}
