export { forbidSniffing, restrictBrowser, type ReplyHeaders } from './browser-headers.js';
export { isJsonInUtf8, longestHeader, readContentType, type ContentType } from './content-type.js';
export { challengesOf, headersOfRequest, type HeaderedRequest } from './credentials.js';
export { beginExchange, type ClientConnection, type Exchange } from './exchange.js';
export { inStep } from './in-step.js';
export { traceField, traceIdOf, type TracedRequest } from './trace-id.js';
