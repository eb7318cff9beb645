export { verifyWebhook, type VerifiedWebhook, type VerifyWebhookOptions } from './verify-webhook.js';
export { webhook, type WebhookOptions } from './webhook.js';
