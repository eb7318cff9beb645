import type { DigestedEvents } from '../../storage/index.js';

/** What the thread that seals asks of the one that digests. */
export type Request =
  | { readonly kind: 'digest'; readonly sequence: number; readonly size: number; readonly frontier: Uint8Array }
  | { readonly kind: 'close' };

/** What it gets back for events to digest. Requests are answered in their order. */
export type Response =
  | { readonly kind: 'digested'; readonly events: DigestedEvents | null }
  | { readonly kind: 'failed'; readonly error: Error };
