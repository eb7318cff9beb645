import type { LiveStep, LiveStepKind, LiveTelemetry } from '@svc/core/hosting';

/** Counts a step that a connection was given. */
export type CountStep = (step: LiveStep, bytes: number) => void;

interface Sent {
  steps: number;
  bytes: number;
}

/** What clients of one perspective were sent since the last report. */
type SentByKind = Record<LiveStepKind, Sent>;

/**
 * Measures live queries for the telemetry of the service. It collects what is sent and reports it in intervals: a change can be a step for each of
 * thousands of clients, and a measurement costs as much as a step.
 */
export class LiveMeter {
  readonly #telemetry: LiveTelemetry;
  readonly #sent = new Map<string, SentByKind>();

  constructor(telemetry: LiveTelemetry) {
    this.#telemetry = telemetry;
  }

  opened(perspective: string): void {
    this.#telemetry.opened(perspective);
  }

  closed(perspective: string): void {
    this.report();
    this.#telemetry.closed(perspective);
  }

  rejected(perspective: string, limit: 'host' | 'caller'): void {
    this.#telemetry.rejected(perspective, limit);
  }

  /** Counts the steps to one client of a perspective. */
  counterOf(perspective: string): CountStep {
    let sent = this.#sent.get(perspective);
    if (sent === undefined) this.#sent.set(perspective, (sent = nothingSent()));
    const byKind = sent;
    return (step, bytes) => {
      const counted = byKind[kindOf(step)];
      counted.steps++;
      counted.bytes += bytes;
    };
  }

  /** Reports what was sent since the last report. */
  report(): void {
    for (const [perspective, byKind] of this.#sent) {
      for (const kind of kinds) {
        const { steps, bytes } = byKind[kind];
        if (steps === 0) continue;
        byKind[kind] = { steps: 0, bytes: 0 };
        this.#telemetry.sent(perspective, kind, steps, bytes);
      }
    }
  }
}

const kinds: readonly LiveStepKind[] = ['page', 'changes', 'resumed', 'reset'];

function nothingSent(): SentByKind {
  const none = (): Sent => ({ steps: 0, bytes: 0 });
  return { page: none(), changes: none(), resumed: none(), reset: none() };
}

function kindOf(step: LiveStep): LiveStepKind {
  return step.kind === 'page' && step.isReset ? 'reset' : step.kind;
}
