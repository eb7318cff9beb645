/** The pages with generated regions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationRegion } from './configuration.mjs';
import { eventsRegion } from './events.mjs';
import { metricsRegion } from './metrics.mjs';
import { reliabilityRegion } from './reliability.mjs';
import { withRegions } from './regions.mjs';

const regions = {
  'README.md': reliabilityRegion,
  'docs/reference/configuration.md': configurationRegion,
  'docs/reference/events.md': eventsRegion,
  'docs/reference/metrics.md': metricsRegion,
  'docs/reference/reliability.md': reliabilityRegion,
};

export const referencePages = Object.keys(regions);

/** A page with the regions that the sources have now. */
export function regenerated(root, page) {
  return withRegions(readFileSync(join(root, page), 'utf8'), (what) => regions[page](root, what));
}
