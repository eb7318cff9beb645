import type { OperationProgress } from '@svc/core/hosting';

const barWidth = 24;

/** How far an operation is, as a line: a bar, the figures, how fast it goes and how long it may take. */
export class ProgressMeter {
  #first: { readonly at: number; readonly progress: OperationProgress } | null = null;

  line(progress: OperationProgress, now: number): string {
    // An operation that begins again, on another host, is measured anew.
    if (this.#first === null || progress.done < this.#first.progress.done) this.#first = { at: now, progress };
    const { unit, done, total, events } = progress;
    const share = total === 0 ? 0 : Math.min(1, done / total);
    const filled = Math.round(share * barWidth);
    const parts = [
      `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %`,
      `${figure(done)} of ${figure(total)} ${unit}`,
    ];
    if (events !== undefined) parts.push(`${figure(events)} events`);
    return [...parts, ...this.#pace(this.#first, progress, now)].join('  ');
  }

  #pace(
    first: { readonly at: number; readonly progress: OperationProgress },
    { done, total, events }: OperationProgress,
    now: number,
  ): string[] {
    const seconds = (now - first.at) / 1000;
    const since = done - first.progress.done;
    if (seconds < 1 || since <= 0) return [];
    const pace = events === undefined ? [] : [`${figure((events - (first.progress.events ?? 0)) / seconds)} events/s`];
    return [...pace, `${clock(((total - done) / since) * seconds)} left`];
  }
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
