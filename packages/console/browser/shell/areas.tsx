/** The views of the console, and who sees them. */
import type { JSX } from 'preact';
import type { Session } from '../../src/contract/index.js';
import { Empty } from '../parts/states.js';
import { View } from '../parts/view.js';
import { AccessView } from '../views/access.js';
import { AuditView } from '../views/audit.js';
import { ChainView } from '../views/chain.js';
import { DeadLetterView } from '../views/dead-letter.js';
import { DeadLettersView } from '../views/dead-letters.js';
import { DeploymentView } from '../views/deployment.js';
import { EventView } from '../views/event.js';
import { MigrationsView } from '../views/migrations.js';
import { OperationsView, OperationView } from '../views/operations.js';
import { OverviewView } from '../views/overview.js';
import { PerspectiveView } from '../views/perspective.js';
import { PerspectivesView } from '../views/perspectives.js';
import { ProcessesView, ProcessView } from '../views/processes.js';
import { ReactionsView, ReactionView } from '../views/reactions.js';
import { ScheduleView } from '../views/schedule.js';
import { SearchView } from '../views/search.js';
import { StreamView } from '../views/stream.js';

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

/** The view of a place. */
export function viewAt(path: readonly string[]): JSX.Element {
  const [area = '', first, second] = path;
  if (second !== undefined && first !== undefined)
    return area === 'processes' ? <ProcessView process={first} instance={second} /> : <NoView />;
  if (first !== undefined) return detailOf(area, first);
  const List = lists[area];
  return List === undefined ? <NoView /> : <List />;
}

const lists: Readonly<Record<string, () => JSX.Element>> = {
  overview: OverviewView,
  audit: AuditView,
  access: AccessView,
  search: SearchView,
  perspectives: PerspectivesView,
  reactions: ReactionsView,
  schedule: ScheduleView,
  processes: ProcessesView,
  'dead-letters': DeadLettersView,
  operations: OperationsView,
  migrations: MigrationsView,
  deployment: DeploymentView,
};

function detailOf(area: string, of: string): JSX.Element {
  switch (area) {
    case 'events':
      return <EventView id={of} />;
    case 'chains':
      return <ChainView correlation={of} />;
    case 'streams':
      return <StreamView id={of} />;
    case 'perspectives':
      return <PerspectiveView name={of} />;
    case 'reactions':
      return <ReactionView name={of} />;
    case 'operations':
      return <OperationView id={of} />;
    case 'dead-letters':
      return <DeadLetterView id={of} />;
    default:
      return <NoView />;
  }
}

function NoView(): JSX.Element {
  return (
    <View heading="No such view">
      <Empty>The address is not one of the console. Choose a view from the navigation.</Empty>
    </View>
  );
}
