import { errorRateOf, type Split, type TrafficSample } from '@svc/deploy';
import { counted } from '../counted.js';

export function percent(rate: number | null): string {
  return rate === null ? 'no data' : `${(rate * 100).toFixed(2)} %`;
}

export function sampleText(sample: TrafficSample): string {
  if (sample.requests === 0) return 'no requests';
  const p99 = sample.p99 === null ? 'p99 unknown' : `p99 ${sample.p99.toFixed(1)} ms`;
  return `${counted(sample.requests, 'request')}, ${percent(errorRateOf(sample))} errors, ${p99}`;
}

export function splitText({ blue, green }: Split): string {
  return `blue ${blue} %, green ${green} %`;
}

export function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
