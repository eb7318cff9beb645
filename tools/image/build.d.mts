import type { Stage } from './dockerfile.mjs';

export function buildStages(
  stages: readonly Stage[],
  folders: { readonly context: string; readonly into: string },
): string;
