export { subscriptionSources } from './sources.js';
export { subscriber, type Subscribe } from './subscriber.js';
