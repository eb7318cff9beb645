import { createHistogram } from 'node:perf_hooks';

/** Counts of a run. */
export class Statistics {
  /** Counts by kind of change and status. */
  statuses = new Map();
  /** Counts of 200 responses by operation. */
  succeeded = new Map();
  memory = [];
  slowest = { ms: 0, operation: '' };
  sent = 0;
  /** How often the service closed a connection between two requests, so that one was sent again. */
  closedBetween = 0;
  #latencies = createHistogram();

  add({ kind, operation }, outcome) {
    this.sent++;
    const status = outcome.kind === 'answered' ? String(outcome.answer.status) : outcome.kind;
    const counts = this.statuses.get(kind) ?? new Map();
    counts.set(status, (counts.get(status) ?? 0) + 1);
    this.statuses.set(kind, counts);
    if (status === '200') this.succeeded.set(operation, (this.succeeded.get(operation) ?? 0) + 1);
    this.#latencies.record(Math.max(1, Math.round(outcome.ms * 1000)));
    if (outcome.ms > this.slowest.ms) this.slowest = { ms: outcome.ms, operation };
  }

  /** The percentile of response times, in milliseconds. */
  percentile(percent) {
    return this.#latencies.percentile(percent) / 1000;
  }
}
