import type { Service, Uuid } from '@svc/core';
import type { Storage } from '@svc/core/storage';
import type { Transport } from '@svc/core/transport';
import type { ShopRequest } from './requests.js';

export function streamOf(...names: readonly (string | number)[]): Uuid;
export function shopService(
  shop: string,
  other: string,
  storage: Storage,
  transport: Transport,
  report?: (error: unknown) => void,
): Service;
export function handle(service: Service, request: ShopRequest): Promise<string>;
