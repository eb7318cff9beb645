import type { AppliedEvent, Perspective, Service, Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';

export interface TraceModel {
  readonly ids: readonly string[];
}

export class Counted {
  note: string;
}

export class streamTraces implements Perspective<TraceModel, Counted> {
  apply(model: TraceModel | null, event: Counted, context: AppliedEvent): TraceModel;
}

export class noteTraces implements Perspective<TraceModel, Counted> {
  keyOf(event: Counted): string;
  apply(model: TraceModel | null, event: Counted, context: AppliedEvent): TraceModel;
}

export const streams: readonly Uuid[];
export function noteOf(id: string): string;
export function startTraceService(storage: Storage, report?: (error: unknown) => void): Promise<Service>;
export function countOf(service: Service, streamId: Uuid, id: Uuid): Promise<void>;
export function receive(storage: Storage, streamId: Uuid, id: Uuid): Promise<void>;
