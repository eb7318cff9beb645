import type { OperationProgress } from '@svc/core/hosting';

const barWidth = 24;

/** The progress of an operation as a line: a bar, the figures, the rate and the estimated time left. */
export class ProgressMeter {
  #first: { readonly at: number; readonly progress: OperationProgress } | null = null;

  line(progress: OperationProgress, now: number): string {
    // Another host may have started the operation again: restart the measurement.
    if (this.#first === null || progress.done < this.#first.progress.done) this.#first = { at: now, progress };
    const { done, total, events } = progress;
    const share = total === 0 ? 0 : Math.min(1, done / total);
    const filled = Math.round(share * barWidth);
    const parts = [
      `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`,
      progressText(progress),
    ];
    if (events !== undefined) parts.push(`${figure(events)} ${events === 1 ? 'event' : 'events'}`);
    return [...parts, ...this.#rate(this.#first, progress, now)].join('  ');
  }

  #rate(
    first: { readonly at: number; readonly progress: OperationProgress },
    { done, total, events }: OperationProgress,
    now: number,
  ): string[] {
    const seconds = (now - first.at) / 1000;
    const since = done - first.progress.done;
    if (seconds < 1 || since <= 0) return [];
    const rate = events === undefined ? [] : [`${figure((events - (first.progress.events ?? 0)) / seconds)} events/s`];
    return [...rate, `${clock(((total - done) / since) * seconds)} left`];
  }
}

/** How far an operation is: `3,300 of 10,000 streams`. */
export function progressText({ unit, done, total }: OperationProgress): string {
  return `${figure(done)} of ${figure(total)} ${total === 1 ? unit.slice(0, -1) : unit}`;
}

export function figure(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const two = (number: number): string => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
