/** What the process of the service reports to `svc dev`. No bodies, headers or queries: they can contain secrets. */
export type ServiceMessage =
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'activity'; readonly entries: readonly Activity[]; readonly omitted: number };

/** A request that was answered, or an event that was appended. */
export type Activity =
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly path: string;
      readonly status: number;
      readonly ms: number;
    }
  | { readonly kind: 'event'; readonly type: string; readonly streamId: string };

/** The requests of `svc dev` itself carry this name, and are not reported. */
export const ownUserAgent = 'svc-dev';
