export interface DocumentedMetric {
  readonly name: string;
  readonly prometheus: string;
  readonly kind: 'counter' | 'histogram';
  readonly labels: readonly string[];
  readonly description: string;
}

/** The instruments of @svc/telemetry, as its sources define them. */
export function metricsOf(root: string): readonly DocumentedMetric[];
