export { readHistory } from './checks/history.mjs';
export { invariants, violationsOf } from './checks/invariants.mjs';
export { readOptions } from './options.mjs';
export { commandOf, failureTexts, reportOf } from './report.mjs';
export { Servers } from './servers.mjs';
export { handle, shopService } from './shop/service.mjs';
export { runs } from './runs/index.mjs';
export { isSound, torture } from './torture.mjs';
export { lastRelease } from './versions.mjs';
