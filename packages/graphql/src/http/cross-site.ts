import type { HostRequest } from '@svc/http/hosting';
import { requestError } from '../errors/index.js';

const readableModes = new Set<unknown>([undefined, 'cors', 'same-origin']);
const scriptDestinations = new Set<unknown>([undefined, 'empty']);

/**
 * Rejects a GET request that a browser sends for a link, an image, a script or a form of any site: it would carry the cookies of the user.
 * What a script sends is subject to CORS. Programs other than browsers send none of these headers.
 */
export function rejectCrossSite({ headers }: HostRequest): void {
  if (readableModes.has(headers['sec-fetch-mode']) && scriptDestinations.has(headers['sec-fetch-dest'])) return;
  throw requestError(
    403,
    'CROSS_SITE_REQUEST',
    'Send queries by GET from a script, with fetch, or send them with POST.',
  );
}

/** Whether a browser asks for a page, and not a client for a result. */
export function wantsPage({ headers: { accept = '' } }: HostRequest): boolean {
  return accept.includes('text/html');
}
