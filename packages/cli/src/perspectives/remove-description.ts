import type { SubcommandDescription } from '../command-line/description.js';
import { databaseExitCodes, databaseOptions, inDatabase, operatorOption } from '../database/description.js';

export const remove: SubcommandDescription = {
  summary: 'remove the models of a perspective that the service no longer has',
  details: [
    'A perspective whose class was deleted stays in the database, and svc archive waits for it. This command removes its tables. It changes no events, and needs no running service. It is recorded in the system stream, with the name of the operator and the reason.',
    'It is rejected while a running host has the perspective. Run it after the last host of the old version has stopped. If a version with the perspective starts again, it computes the models again from all events.',
  ],
  arguments: { perspective: { summary: 'its name; svc perspectives list shows the names' } },
  options: {
    reason: { value: '<text>', summary: 'why, up to 500 characters; it is recorded; required' },
    ...operatorOption,
    ...databaseOptions,
  },
  json: '{database, removed}',
  examples: {
    'svc perspectives remove LentBooks --reason "the class was deleted"': 'remove the models of LentBooks',
  },
  exitCodes: databaseExitCodes,
  load: inDatabase(async () => (await import('./remove.js')).remove),
};
