import { createTraceState, TraceFlags } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { spanContextOf, traceMetadata } from './trace-context.js';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

it('is read as it was written, including the state of other vendors', () => {
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

it('is not written without a span, and omits an oversized state', () => {
  expect(traceMetadata({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 })).toBeNull();
  const traceState = createTraceState(`a=${'x'.repeat(250)},b=${'x'.repeat(250)},c=${'x'.repeat(250)}`);
  expect(traceMetadata({ traceId, spanId, traceFlags: 1, traceState })).toEqual({ traceparent });
});

describe('is not read', () => {
  it.each([
    ['if it is missing', {}],
    ['if it is not a string', { traceparent: 7 }],
    ['if it has another format', { traceparent: 'x'.repeat(55) }],
    ['if its trace id is zero', { traceparent: `00-${'0'.repeat(32)}-${spanId}-01` }],
    ['if its version is invalid', { traceparent: `ff-${traceId}-${spanId}-01` }],
    ['if it is longer than its version allows', { traceparent: `${traceparent}-more` }],
  ])('%s', (_name, metadata) => expect(spanContextOf(metadata)).toBeNull());

  it('unless its version is newer, whatever follows', () => {
    expect(spanContextOf({ traceparent: `01-${traceId}-${spanId}-01-more` })).toMatchObject({ traceId, spanId });
  });

  it('with a state that is not a string or is oversized', () => {
    expect(spanContextOf({ traceparent, tracestate: 7 })?.traceState).toBeUndefined();
    expect(spanContextOf({ traceparent, tracestate: 'x'.repeat(513) })?.traceState).toBeUndefined();
  });
});
