import { reportToConsole } from '@svc/core';
import type { Drain } from './drain.js';

/**
 * Drains when the platform asks for it (SIGTERM) or somebody presses Ctrl-C (SIGINT, without the notice: there is no traffic to turn
 * away). The same signal again ends the process at once.
 */
export function drainOnSignals(drain: Drain): void {
  const begin = (noticeMs?: number): void => {
    drain.drain(noticeMs).then(
      ({ clean, cut }) => {
        if (clean) return;
        console.error(`The time to drain was over with ${cut} requests running.`);
        process.exit(1);
      },
      (error: unknown) => {
        reportToConsole(error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', () => begin());
  process.once('SIGINT', () => begin(0));
}
