export { FeatureFlags } from './feature-flags.js';
export { FileFlagProvider } from './file-flag-provider.js';
