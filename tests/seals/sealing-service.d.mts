import type { Service } from '@svc/core';
import type { CheckpointAnchor } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';

export declare function startSealingService(
  storage: Storage,
  folder: string,
  anchor?: CheckpointAnchor,
  report?: (error: unknown) => void,
): Promise<Service>;
export declare function append(service: Service): Promise<void>;
