import type { CommandDescription } from '../command-line/description.js';

export const generate: CommandDescription = {
  details: ['Reads the commands, events, receptors and endpoints of a service and writes the code that serves them.'],
  options: {
    check: { summary: 'write nothing; fail if the generated files are not up to date' },
    watch: { summary: 'generate again after every change, until interrupted' },
    client: {
      value: '<folder>',
      summary: 'also write the typed client of the service, instead of "client" in the svc settings of package.json',
    },
    documents: {
      value: '<folder>',
      summary:
        'also write types for the GraphQL documents in this folder, instead of "documents" in the svc settings of package.json',
      isRepeated: true,
    },
    project: {
      value: '<folder>',
      summary: "the folder of the service's package.json",
      default: '.',
    },
  },
  json: '{files, missing: […], different: […], stale: […], diagnostics: [{code, file, line, column, message}]}; with --watch JSON Lines of it. missing and different are written and stale are removed, unless --check is given or diagnostics has entries',
  examples: {
    'svc generate': 'generate the code of the service in this folder',
    'svc generate --check': 'verify in a pipeline that the generated code is committed',
    'svc generate --client ../web/src/api': 'also write the client into a web application',
    'svc generate --client ../web/src/api --documents ../web/src':
      'also type the GraphQL documents of that application',
    'svc generate --watch --project services/shop': 'generate after every change of another folder',
  },
  exitCodes: {
    0: 'done, or up to date',
    1: 'the service has errors, or --check found files that are not up to date',
    2: 'wrong usage',
  },
  load: async () => (await import('./generate.js')).generate,
};
