/** For authors of hosts and transports: the routes of a service, and what requests and replies have in common. */
export { admit, challenge, rejectCaller } from './access/index.js';
export { answerError } from './answer-error.js';
export { addVary, forbidSniffing, restrictBrowser, type ReplyHeaders } from './browser-headers.js';
export { isHttp2, type RawRequest } from './client-connection.js';
export { isJsonInUtf8, longestHeader, readContentType, type ContentType } from './content-type.js';
export { challengesOf, headersOfRequest, type HeaderedRequest } from './credentials.js';
export { HostDrain, type DrainedHost, type OpenReply } from './drain/index.js';
export { pathOf, queryOf, type HostReply, type HostRequest } from './host.js';
export { callerOf, isLive, requestOf, requestProperty, type HttpRequest, type RequestOwner } from './http-request.js';
export { idempotencyKeyOf } from './idempotency-key.js';
export { readJsonBody, type SentBody } from './json-body.js';
export {
  LiveLimitError,
  openLive,
  setStreamHeaders,
  type LiveConnections,
  type LiveRequest,
  type LiveStream,
  type WriteStep,
} from './live/index.js';
export type { OpenApiDocument } from './openapi/index.js';
export { checkedBodyLimit } from './options.js';
export { addressOf, browserPage, builtPage, pageFileRoute, type BrowserPage, type PageFile } from './pages/index.js';
export {
  invalidPath,
  methodNotAllowed,
  problem,
  problemOfRequest,
  reportProblem,
  RequestRejected,
  routeNotFound,
  sendProblem,
  tooLongPath,
  type Problem,
} from './problems/index.js';
export {
  duplicateRoute,
  healthRoutes,
  metricsRoute,
  resourceMetadataRoutes,
  RouteOwners,
  serviceRoutes,
  type Route,
  type RouteBody,
} from './routes/index.js';
export { clientLimits } from './server-limits.js';
export { traceField, traceIdOf, type TracedRequest } from './trace-id.js';
