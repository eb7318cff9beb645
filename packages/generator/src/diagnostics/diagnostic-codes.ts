import { deciderCodes } from './decider-codes.js';
import { defaultCodes } from './default-codes.js';
import { documentCodes } from './document-codes.js';
import { endpointCodes } from './endpoint-codes.js';
import { graphqlCodes } from './graphql-codes.js';
import { importedTypeCodes } from './imported-type-codes.js';
import { messageCodes } from './message-codes.js';
import { pathCodes } from './path-codes.js';
import { perspectiveCodes } from './perspective-codes.js';
import { processCodes } from './process-codes.js';
import { projectCodes } from './project-codes.js';
import { queryCodes } from './query-codes.js';
import { reactionCodes } from './reaction-codes.js';
import { receptorCodes } from './receptor-codes.js';
import { scheduleCodes } from './schedule-codes.js';
import { secretCodes } from './secret-codes.js';
import { typeCodes } from './type-codes.js';

/** Every code the generator reports. docs/reference/diagnostics.md has a section for each. */
export const diagnosticCodes = {
  ...typeCodes,
  ...secretCodes,
  ...defaultCodes,
  ...importedTypeCodes,
  ...endpointCodes,
  ...pathCodes,
  ...receptorCodes,
  ...messageCodes,
  ...projectCodes,
  ...graphqlCodes,
  ...perspectiveCodes,
  ...queryCodes,
  ...deciderCodes,
  ...reactionCodes,
  ...scheduleCodes,
  ...processCodes,
  ...documentCodes,
} as const;

export type DiagnosticCode = keyof typeof diagnosticCodes;

/** The names a code's message is made of. */
export type DiagnosticNames<TCode extends DiagnosticCode> = Parameters<(typeof diagnosticCodes)[TCode]['message']>;

/** Something wrong, in words, not yet tied to a place. */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
}

export function problem<TCode extends DiagnosticCode>(code: TCode, ...names: DiagnosticNames<TCode>): Problem {
  const message: (...names: string[]) => string = diagnosticCodes[code].message;
  return { code, message: message(...names) };
}
