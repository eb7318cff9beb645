import type { CheckpointAnchor, Service } from '@svc/core';
import type { Storage } from '@svc/core/storage';

export declare function startSealingService(
  storage: Storage,
  folder: string,
  anchor?: CheckpointAnchor,
  report?: (error: unknown) => void,
): Promise<Service>;
export declare function append(service: Service): Promise<void>;
