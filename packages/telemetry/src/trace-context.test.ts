import { createTraceState, TraceFlags } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { spanContextOf, traceMetadata } from './trace-context.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

it('comes back as it was written, with the state of other vendors', () => {
  const span = { traceId, spanId, traceFlags: TraceFlags.SAMPLED, traceState: createTraceState('vendor=1,other=2') };
  const metadata = traceMetadata(span)!;
  expect(metadata).toEqual({ traceparent, tracestate: 'vendor=1,other=2' });
  const read = spanContextOf(metadata)!;
  expect(read).toMatchObject({ traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });
  expect(read.traceState?.serialize()).toBe('vendor=1,other=2');
  expect(traceMetadata({ traceId, spanId, traceFlags: TraceFlags.NONE })).toEqual({
    traceparent: `00-${traceId}-${spanId}-00`,
  });
});

it('is not written of a span that there is none of, nor state without end', () => {
  expect(traceMetadata({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 })).toBeNull();
  const traceState = createTraceState(`a=${'x'.repeat(250)},b=${'x'.repeat(250)},c=${'x'.repeat(250)}`);
  expect(traceMetadata({ traceId, spanId, traceFlags: 1, traceState })).toEqual({ traceparent });
});

describe('is not read', () => {
  it.each([
    ['where there is none', {}],
    ['of something else', { traceparent: 7 }],
    ['of another form', { traceparent: 'x'.repeat(55) }],
    ['of zeros', { traceparent: `00-${'0'.repeat(32)}-${spanId}-01` }],
    ['of the invalid version', { traceparent: `ff-${traceId}-${spanId}-01` }],
    ['with more than its version has', { traceparent: `${traceparent}-more` }],
  ])('%s', (_name, metadata) => expect(spanContextOf(metadata)).toBeNull());

  it('but of a later version, whatever follows', () => {
    expect(spanContextOf({ traceparent: `01-${traceId}-${spanId}-01-more` })).toMatchObject({ traceId, spanId });
  });

  it('with state that is no text or has no end', () => {
    expect(spanContextOf({ traceparent, tracestate: 7 })?.traceState).toBeUndefined();
    expect(spanContextOf({ traceparent, tracestate: 'x'.repeat(513) })?.traceState).toBeUndefined();
  });
});
