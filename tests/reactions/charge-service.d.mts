import type { Service, Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';

export declare const streams: readonly Uuid[];
export declare function startChargeService(storage: Storage, report?: (error: unknown) => void): Promise<Service>;
export declare function place(service: Service, streamId: Uuid): Promise<void>;
