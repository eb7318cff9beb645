import { problem, type DiagnosticCode, type DiagnosticNames, type Problem } from '../../diagnostics/index.js';
import type { TypeModel } from '../../model/index.js';
import type { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import type { Location } from '../locations.js';

/** Something wrong in a type. Without a place of its own it belongs to whoever uses the type. */
export interface Finding {
  readonly problem: Problem;
  readonly at: Location | null;
}

/** One type refers to another; `at` is where findings without a place are reported, if that is here. */
export interface Reference {
  readonly id: string;
  readonly at: Location | null;
}

/** What is found while one type is read. */
export class Scope {
  readonly findings: Finding[] = [];
  readonly findingsAsPart: Finding[] = [];
  readonly references: Reference[] = [];
  /** The types being read that have no name, from the outside in. */
  readonly open: ts.Type[] = [];
  /** Names of the type parameters that a generic type's own text may mention. */
  readonly typeParameters: ReadonlySet<string>;
  readonly #compilation: Compilation;

  constructor(compilation: Compilation, typeParameters: ReadonlySet<string> = new Set()) {
    this.#compilation = compilation;
    this.typeParameters = typeParameters;
  }

  report<TCode extends DiagnosticCode>(site: Site, code: TCode, ...names: DiagnosticNames<TCode>): void {
    this.findings.push({ problem: problem(code, ...names), at: this.#locate(site) });
  }

  reportAsPart<TCode extends DiagnosticCode>(site: Site, code: TCode, ...names: DiagnosticNames<TCode>): void {
    this.findingsAsPart.push({ problem: problem(code, ...names), at: this.#locate(site) });
  }

  /** `floats`: the other type may have findings without a place of their own, which then belong here. */
  refer(site: Site, id: string, floats: boolean): TypeModel {
    this.references.push({ id, at: floats ? this.#locate(site) : null });
    return { kind: 'ref', id };
  }

  #locate({ node }: Site): Location | null {
    return node === null ? null : this.#compilation.locationOf(node);
  }
}

/** Where in the user's code a type stands, and how to speak of it. */
export interface Site {
  readonly scope: Scope;
  /** `CreateOrder.lineItems` */
  readonly where: string;
  /** Null when it stands in no code of the user's. */
  readonly node: ts.Node | null;
}

/** A named type as read, before all of them are put together. */
export interface TypeDraft {
  readonly id: string;
  /** Not yet unique. */
  readonly name: string;
  readonly module: string | null;
  readonly exportName: string | null;
  readonly isClass: boolean;
  readonly constructorProperties: readonly string[];
  readonly description: string | null;
  readonly type: TypeModel;
  readonly references: readonly Reference[];
  readonly findings: readonly Finding[];
  /** Wrong only when it is a message or request: these are constructed. */
  readonly findingsAsRoot: readonly Finding[];
  /** Wrong only when it is part of another type: these are plain data. */
  readonly findingsAsPart: readonly Finding[];
}
