import { problem, type DiagnosticCode, type DiagnosticNames, type Problem } from '../../diagnostics/index.js';
import type { TypeModel } from '../../model/index.js';
import type { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import type { Location } from '../locations.js';

/** A problem in a type. Without a location it is reported where the type is used. */
export interface Finding {
  readonly problem: Problem;
  readonly at: Location | null;
}

/** A reference to another type. `at` is where findings without a location are reported, if that is here. */
export interface Reference {
  readonly id: string;
  /** The property that has the type: `CreateOrder.lineItems`. */
  readonly where: string;
  readonly at: Location | null;
}

/** Where a type has a secret, directly or in an anonymous type. Without a location it is reported where the type is used. */
export interface SecretPlace {
  readonly where: string;
  readonly at: Location | null;
}

/** Collects the findings of one type. */
export class Scope {
  readonly findings: Finding[] = [];
  readonly findingsAsPart: Finding[] = [];
  readonly references: Reference[] = [];
  readonly secrets: SecretPlace[] = [];
  readonly erasable: SecretPlace[] = [];
  /** The anonymous types being read, from the outside in. */
  readonly open: ts.Type[] = [];
  /** Names of the type parameters that the text of a generic type may contain. */
  readonly typeParameters: ReadonlySet<string>;
  /** Whether the objects of the type ignore unknown properties. */
  readonly isLenient: boolean;
  readonly #compilation: Compilation;

  constructor(compilation: Compilation, typeParameters: ReadonlySet<string> = new Set(), isLenient = false) {
    this.#compilation = compilation;
    this.isLenient = isLenient;
    this.typeParameters = typeParameters;
  }

  report<TCode extends DiagnosticCode>(site: Site, code: TCode, ...names: DiagnosticNames<TCode>): void {
    this.findings.push({ problem: problem(code, ...names), at: this.#locate(site) });
  }

  reportAsPart<TCode extends DiagnosticCode>(site: Site, code: TCode, ...names: DiagnosticNames<TCode>): void {
    this.findingsAsPart.push({ problem: problem(code, ...names), at: this.#locate(site) });
  }

  noteSecret(site: Site): void {
    this.secrets.push({ where: site.where, at: this.#locate(site) });
  }

  /** Notes a personal property that cannot be null. */
  noteErasable(site: Site): void {
    this.erasable.push({ where: site.where, at: this.#locate(site) });
  }

  /** `floats`: findings of the other type without a location are reported here. */
  refer(site: Site, id: string, floats: boolean): TypeModel {
    this.references.push({ id, where: site.where, at: floats ? this.#locate(site) : null });
    return { kind: 'ref', id };
  }

  #locate({ node }: Site): Location | null {
    return node === null ? null : this.#compilation.locationOf(node);
  }
}

/** The location of a type in the user's code, and its name in messages. */
export interface Site {
  readonly scope: Scope;
  /** `CreateOrder.lineItems` */
  readonly where: string;
  /** Null if it is not in the user's code. */
  readonly node: ts.Node | null;
}

/** A named type as read, before all types are combined. */
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
  /** An error in everything that is stored or returned. */
  readonly secrets: readonly SecretPlace[];
  /** Personal properties that cannot be null: an error in events, models and states. */
  readonly erasable: readonly SecretPlace[];
  readonly findings: readonly Finding[];
  /** An error only for a message or request, which are constructed. */
  readonly findingsAsRoot: readonly Finding[];
  /** An error only for a part of another type, which is plain data. */
  readonly findingsAsPart: readonly Finding[];
}
