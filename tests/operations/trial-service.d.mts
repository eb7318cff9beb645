import type { Perspective, Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';

export class Counted {
  note: string;
}

export class Tallies implements Perspective<{ count: number }, Counted> {
  apply(model: { count: number } | null): { count: number };
}

export interface Gate {
  hold(): void;
  /** Has the next fill fail. */
  failOnce(error: Error): void;
  go(): void;
}

export function gated<T extends Storage>(inner: T): { readonly gate: Gate; readonly storage: T };
export function startTrial(
  storage: Storage,
  options?: { readonly isFixed?: boolean; readonly report?: (error: unknown) => void },
): Promise<Service>;
