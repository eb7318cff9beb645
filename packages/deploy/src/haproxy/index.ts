export { haproxyConfig } from './haproxy-config.js';
export { HaproxyPlatform, type HaproxyPlatformOptions } from './haproxy-platform.js';
export { haproxyDefaults, type HaproxySettings } from './settings.js';
export { createStateFolder } from './state-folder.js';
export { weightCommands, weightsFor } from './weights.js';
