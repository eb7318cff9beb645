export { forcedMap, forcedMapText, haproxyConfig } from './haproxy-config.js';
export { HaproxyPlatform, type HaproxyPlatformOptions } from './haproxy-platform.js';
export { haproxyDefaults, type HaproxySettings } from './settings.js';
export { weightCommands, weightsFor } from './weights.js';
