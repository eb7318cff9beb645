/** The parts of the site and their pages, in the order in which a reader needs them. Every page of docs/ is in one of them, except single decisions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const docs = fileURLToPath(new URL('../../docs/', import.meta.url));

/** A group of pages: a heading, and paths in docs/ without their ending. */
const tutorial = [['A library', 'create', 'command', 'read-model', 'react', 'audit', 'deploy']];
const guides = [
  [
    'Write a service',
    'development',
    'own-service',
    'endpoints',
    'deciders',
    'perspectives',
    'graphql',
    'client',
    'live',
    'event-versions',
    'testing',
    'monorepos',
  ],
  ['React to events', 'side-effects', 'reactions', 'processes', 'schedules', 'webhooks'],
  ['Run it', 'hosts', 'storage', 'transports', 'service-bus', 'feature-flags'],
  ['Protect it', 'security', 'tenants', 'audit', 'trust', 'forget-a-customer', 'database-roles'],
  ['Operate it', 'console', 'health', 'observability', 'operations', 'migrations', 'deployment'],
];
const reference = [
  ['Interfaces', 'configuration', 'cli', 'api', 'graphql', 'storage-capabilities', 'archive-files'],
  ['Messages', 'events', 'metrics', 'errors', 'diagnostics', 'problems'],
  ['Facts', 'reliability', 'fuzzing', 'simulation', 'mutation', 'interoperability', 'specification-map', 'glossary'],
];

/** The parts, with the groups of their sidebars. */
export function partsOfSite() {
  return [
    { name: 'Tutorial', groups: groupsIn('tutorial', tutorial) },
    { name: 'Guides', groups: groupsIn('guides', guides) },
    { name: 'Reference', groups: groupsIn('reference', reference) },
    {
      name: 'Explanation',
      groups: [
        {
          name: 'How svc works',
          // The page of decisions has links to all of them.
          pages: [
            page('architecture'),
            page('explanation/guarantees'),
            page('explanation/scale'),
            page('explanation/comparison'),
            page('explanation/stability'),
            page('explanation/newcomer'),
            page('decisions/README'),
          ],
        },
      ],
    },
  ];
}

function groupsIn(folder, groups) {
  return groups.map(([name, ...pages]) => ({ name, pages: pages.map((path) => page(`${folder}/${path}`)) }));
}

/** The title of a page is its first heading. */
function page(path) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(docs, `${path}.md`), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${path}.md has no title.`);
  return { path, title: title.replaceAll('`', '') };
}
