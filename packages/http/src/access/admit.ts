import type { AccessControl, Gate } from '@svc/core/hosting';
import { headersOfRequest } from '../credentials.js';
import type { HostReply, HostRequest } from '../host.js';
import { requestOf } from '../http-request.js';
import { problemOfRequest, sendProblem } from '../problems/index.js';
import { challenge } from './challenge.js';

/** Authenticates the caller of a request and checks that it may pass the gate; `callerOf` returns it from then on. */
export async function admit(request: HostRequest, access: AccessControl, gate: Gate): Promise<void> {
  const context = await access.establish(headersOfRequest(request));
  requestOf(request).caller = await access.admit(context, gate);
}

/** Sends the problem of a caller that was not admitted. */
export function rejectCaller(request: HostRequest, reply: HostReply, access: AccessControl, error: unknown): void {
  challenge(reply, error, access.authenticators);
  sendProblem(request, reply, problemOfRequest(error), error);
}
