import type { Service, Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import type { Transport } from '@svc/core/transport';

export class Counted {
  number: number;
}

export function isRejected(number: number): boolean;
export const rejectingTransport: Transport;

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
