export type { NamedReaction } from './named-reaction.js';
export {
  process,
  reaction,
  reactionSettingsOf,
  settingsOf,
  type ReactionOptions,
  type ReactionRetry,
  type ReactionSettings,
} from './reaction-options.js';
export { emitFailed, react } from './reacting.js';
export { reactionHolders, reactionLanes, ReactionShare } from './reaction-share.js';
export { ReactionWorker } from './reaction-worker.js';
export { RetryAfterError } from './retry-after-error.js';
