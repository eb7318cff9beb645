import type { Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';

export class Started {
  number: number;
}
export class Finished {
  number: number;
}
export function startScheduling(storage: Storage): Promise<Service>;
export function begin(service: Service, number: number): Promise<unknown>;
