import type { GroupDescription } from '../command-line/description.js';
import { databaseExitCodes, inDatabase, ownerOptions, severalDatabases } from '../database/description.js';

export const database: GroupDescription = {
  details: [severalDatabases],
  commands: {
    roles: {
      summary: 'print the SQL that separates the role that the service runs as from the owner of the log',
      details: [
        'It changes nothing without --apply. Run svc migrate up first. The owner can apply it if the runtime role exists and the owner is a member of it; else connect as an administrator.',
        'It can be applied again, and must be after a change of the roles. Later, svc migrate up as the owner grants what new tables need. Only PostgreSQL has roles.',
      ],
      options: {
        runtime: { value: '<role>', summary: 'the role of the service (default: the recorded one)' },
        owner: { value: '<role>', summary: 'the owner of the log (default: the role that owns it now)' },
        models: {
          value: '<schema>',
          summary: 'the schema of the tables of perspectives (default: svc_models, or <schema>_models)',
        },
        apply: {
          summary:
            'execute the SQL, in one transaction; svc then checks that the runtime role cannot change stored events',
        },
        ...ownerOptions,
      },
      json: '{database, owner, runtime, models, moved: […], isApplied, sql}',
      examples: {
        'svc database roles --runtime shop_app': 'print the SQL, for review',
        'svc database roles --runtime shop_app --apply': 'execute it',
      },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./roles.js')).roles, { asOwner: true }),
    },
  },
};
