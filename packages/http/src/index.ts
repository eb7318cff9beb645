export { BodyError } from './body-error.js';
export { bodyTooLarge, readText } from './body-reader.js';
export { forbidSniffing, restrictBrowser, type ReplyHeaders } from './browser-headers.js';
export { isJsonInUtf8, longestHeader, readContentType, type ContentType } from './content-type.js';
export { challengesOf, headersOfRequest, type HeaderedRequest } from './credentials.js';
export { readEncodedText } from './encoded-body.js';
export { isHttp2, type RawRequest } from './client-connection.js';
export { callerOf, requestOf, requestProperty, type HostRequest, type HttpRequest } from './http-request.js';
export { idempotencyKeyOf } from './idempotency-key.js';
export { inStep } from './in-step.js';
export { routeReporter, type RoutedRequest } from './route-reporter.js';
export {
  verifyWebhook,
  webhook,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  type WebhookOptions,
} from './webhooks/index.js';
export { traceField, traceIdOf, type TracedRequest } from './trace-id.js';
