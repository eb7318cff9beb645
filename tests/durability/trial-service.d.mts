import type { Service, Storage, Transport, Uuid } from '@svc/core';

export class Counted {
  number: number;
}

export function isRefused(number: number): boolean;
export const refusingTransport: Transport;

export function trialService(
  storage: Storage,
  report?: (error: unknown) => void,
  transport?: Transport | null,
): Service;

export function startTrialService(
  storage: Storage,
  report?: (error: unknown) => void,
  transport?: Transport | null,
): Promise<Service>;

/** Appends a number to a stream; under an idempotency key, when one is given. */
export function count(service: Service, streamId: Uuid, number: number, key?: string): Promise<unknown>;
