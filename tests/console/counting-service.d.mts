import type { Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';

export declare class Count {
  constructor(outcome: 'counted' | 'rejected' | 'failed');
  outcome: string;
}

export declare class Counted {}

export declare function countingService(storage: Storage): Service;
