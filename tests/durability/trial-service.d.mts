import type { Service, Storage, Uuid } from '@svc/core';

export class Counted {
  number: number;
}

export function trialService(storage: Storage, report?: (error: unknown) => void): Service;
export function startTrialService(storage: Storage, report?: (error: unknown) => void): Promise<Service>;

/** Appends a number to a stream. */
export function count(service: Service, streamId: Uuid, number: number): Promise<unknown>;
