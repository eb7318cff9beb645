/** The views of the console, and who sees them. */
import type { JSX } from 'preact';
import type { Session } from '../../src/contract/index.js';
import { Empty } from '../parts/states.js';
import { View } from '../parts/view.js';

interface Area {
  readonly name: string;
  readonly links: readonly AreaLink[];
}

interface AreaLink {
  readonly to: string;
  readonly label: string;
  /** Whether it shows the state of the whole service, and so only to operators who see all tenants. */
  readonly forOperators: boolean;
}

const areas: readonly Area[] = [
  {
    name: 'Observe',
    links: [
      { to: 'overview', label: 'Overview', forOperators: true },
      { to: 'audit', label: 'Audit', forOperators: false },
      { to: 'access', label: 'Access', forOperators: false },
    ],
  },
  {
    name: 'Operate',
    links: [
      { to: 'perspectives', label: 'Perspectives', forOperators: true },
      { to: 'reactions', label: 'Reactions', forOperators: true },
      { to: 'schedule', label: 'Schedule', forOperators: true },
      { to: 'processes', label: 'Processes', forOperators: true },
      { to: 'dead-letters', label: 'Dead letters', forOperators: false },
      { to: 'operations', label: 'Operations', forOperators: true },
    ],
  },
  {
    name: 'Release',
    links: [
      { to: 'migrations', label: 'Migrations', forOperators: true },
      { to: 'deployment', label: 'Deployment', forOperators: true },
    ],
  },
];

/** The navigation of a user: without views that would be denied. */
export function areasFor({ isOperator }: Session): readonly Area[] {
  return areas
    .map(({ name, links }) => ({ name, links: links.filter(({ forOperators }) => isOperator || !forOperators) }))
    .filter(({ links }) => links.length > 0);
}

export function viewAt(path: readonly string[], _session: Session): JSX.Element {
  return (
    <View heading={path.join(' / ')}>
      <Empty>There is no such view. Choose one from the navigation.</Empty>
    </View>
  );
}
