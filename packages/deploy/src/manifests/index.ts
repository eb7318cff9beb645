export { dockerfile, dockerignore } from './dockerfile.js';
export { drainTiming, terminationGracePeriodSeconds } from './drain-timing.js';
export { isStrategy, strategies, type Strategy } from './manifest-input.js';
export { render } from './render.js';
export { serviceManifests } from './service-manifests.js';
export { requireValid, type Manifest } from './validation.js';
