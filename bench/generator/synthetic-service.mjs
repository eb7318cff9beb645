/** A synthetic service of many commands, written to a folder: what the generator sees of a large code base. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moveToTrash } from './trash.mjs';

/** Command, result, two interfaces, an enum and a union. */
export const typesPerCommand = 6;
const commandsPerFolder = 20;

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    types: [],
    strict: true,
    noImplicitOverride: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

/**
 * Replaces `folder` by a service. It must be below the repository, so that `@svc/core` resolves.
 *
 * @param {string} folder
 * @param {number} commandCount
 */
export function writeService(folder, commandCount) {
  moveToTrash(folder);
  mkdirSync(folder, { recursive: true });
  const manifest = { name: 'synthetic', private: true, type: 'module', svc: { namespace: 'synthetic' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  for (let number = 0; number < commandCount; number++) {
    const path = commandPath(folder, number);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(`${path}.ts`, commandText(number, 'remark'));
    writeFileSync(`${path}.receptor.ts`, receptorText(number));
  }
}

/**
 * The file of a command, without its extension.
 *
 * @param {string} folder
 * @param {number} number
 */
export function commandPath(folder, number) {
  return join(folder, 'src', `area-${Math.floor(number / commandsPerFolder)}`, `change-thing-${number}`);
}

/**
 * The source of a command; `property` is the name of one of its properties.
 *
 * @param {number} number
 * @param {string} property
 */
export function commandText(number, property) {
  const n = number;
  return `import { commandEndpoint, type Command, type Decimal, type Int, type MaxLength, type Min, type Uuid } from '@svc/core';

/** Changes thing ${n}. */
@commandEndpoint<ChangeThing${n}, ThingChanged${n}>({ restRoute: '/things/${n}/change' })
export class ChangeThing${n} implements Command {
  thingId!: Uuid;
  parts!: Part${n}[];
  size!: Size${n};
  target!: Target${n};
  dueAt?: Date;
  ${property}?: string & MaxLength<200>;
}

export interface Part${n} {
  partId: Uuid;
  quantity: Int & Min<1>;
  price: Decimal;
  labels: string[];
}

export enum Size${n} {
  small = 'small',
  middle = 'middle',
  large = 'large',
}

export interface Place${n} {
  kind: 'place';
  street: string;
  city: string;
  floor: number | null;
}

export type Target${n} = Place${n} | { kind: 'person'; personId: Uuid; size: Size${n} };

export interface ThingChanged${n} {
  thingId: Uuid;
  version: Int;
  parts: Part${n}[];
}
`;
}

/** @param {number} n */
function receptorText(n) {
  return `import type { Receptor } from '@svc/core';
import type { ChangeThing${n}, ThingChanged${n} } from './change-thing-${n}.js';

export class ChangeThing${n}Receptor implements Receptor<ChangeThing${n}, ThingChanged${n}> {
  receive({ thingId, parts }: ChangeThing${n}): ThingChanged${n} {
    return { thingId, version: 1, parts };
  }
}
`;
}
