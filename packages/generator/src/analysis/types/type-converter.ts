import type { TypeModel } from '../../model/index.js';
import { ts } from '../compiler.js';
import type { Compilation } from '../compilation.js';
import type { Site, TypeDraft } from './draft.js';
import { readDraft } from './drafts.js';
import { readIntersection } from './intersections.js';
import { isWorthNaming, namingOf, type Naming } from './names.js';
import { readObject } from './objects.js';
import { readSimple } from './simple-types.js';
import { canBe, nothing, unreadable, withoutNothing, withoutUndefined, type TypeReader } from './type-reader.js';
import { typeText } from './type-text.js';
import { readUnion } from './unions.js';

/** A generic type that refers to itself with ever longer arguments never ends. No valid id is this long. */
const maxIdLength = 2000;

/** Converts the checker's types to the model's. Named types are read once and collected in `drafts`. */
export class TypeConverter implements TypeReader {
  readonly compilation: Compilation;
  readonly drafts: Map<string, TypeDraft>;
  readonly #pending = new Map<string, { type: ts.Type; naming: Naming }>();
  readonly #namings = new Map<ts.Type, Naming | null>();
  /** Constrained scalars, such as `Int & Min<1>`, that were read without a finding. */
  readonly #scalars = new Map<ts.Type, TypeModel>();

  /** `known`: unchanged types of earlier readings, by id. New ones are added. */
  constructor(compilation: Compilation, known: Map<string, TypeDraft>) {
    this.compilation = compilation;
    this.drafts = known;
  }

  /** The id of a message or request class, whether or not another type refers to it. */
  readClass(type: ts.Type): string {
    const naming = this.#naming(type)!;
    this.#start(type, naming);
    this.#finish();
    return naming.id;
  }

  /** The result of a command. No result is written as null. */
  readResult(type: ts.Type, site: Site): TypeModel {
    const result = this.#readResult(type, site);
    this.#finish();
    return result;
  }

  read(type: ts.Type, site: Site): TypeModel {
    const naming = this.#naming(type);
    if (naming === null || !isWorthNaming(type, this.compilation)) return this.readStructure(type, site);
    return this.#refer(type, naming, site);
  }

  /** A type by its structure, whatever its name. */
  readStructure(type: ts.Type, site: Site): TypeModel {
    const simple = readSimple(type, this, site);
    if (simple !== null) return simple;
    const { open } = site.scope;
    if (open.includes(type)) return this.#readRepeated(type, site);
    open.push(type);
    const result = this.#readComposite(type, site);
    open.pop();
    return result;
  }

  #readResult(type: ts.Type, site: Site): TypeModel {
    if ((type.flags & (nothing | ts.TypeFlags.Null)) !== 0) return { kind: 'null' };
    if (!canBe(type, nothing)) return this.read(type, site);
    const rest = this.read(withoutUndefined(type, this.compilation), site);
    return rest.kind === 'nullable' ? rest : { kind: 'nullable', type: rest };
  }

  #readComposite(type: ts.Type, site: Site): TypeModel {
    if (type.isIntersection()) return this.#readIntersection(type, site);
    if (!type.isUnion()) return readObject(type, this, site);
    if (!canBe(type, ts.TypeFlags.Null)) return readUnion(type, this, site);
    return { kind: 'nullable', type: this.read(withoutNothing(type, this.compilation), site) };
  }

  #readIntersection(type: ts.IntersectionType, site: Site): TypeModel {
    const model = this.#scalars.get(type) ?? this.#readNewIntersection(type, site);
    if (model.kind === 'string' && model.secret === true) site.scope.noteSecret(site);
    return model;
  }

  #readNewIntersection(type: ts.IntersectionType, site: Site): TypeModel {
    const { findings } = site.scope;
    const before = findings.length;
    const model = readIntersection(type, this, site);
    const isScalar = model.kind === 'string' || model.kind === 'number';
    if (isScalar && findings.length === before) this.#scalars.set(type, model);
    return model;
  }

  /** An anonymous type that contains itself. */
  #readRepeated(type: ts.Type, site: Site): TypeModel {
    const naming = this.#naming(type);
    if (naming !== null) return this.#refer(type, naming, site);
    site.scope.report(site, 'SVC1027', site.where, typeText(type, this.compilation));
    return unreadable;
  }

  #refer(type: ts.Type, naming: Naming, site: Site): TypeModel {
    if (naming.id.length > maxIdLength) {
      site.scope.report(site, 'SVC1027', site.where, naming.name.slice(0, 50));
      return unreadable;
    }
    this.#start(type, naming);
    return site.scope.refer(site, naming.id, naming.isGeneric || naming.module === null);
  }

  #start(type: ts.Type, naming: Naming): void {
    if (!this.drafts.has(naming.id) && !this.#pending.has(naming.id)) this.#pending.set(naming.id, { type, naming });
  }

  /** Reads referenced types iteratively, so that nesting cannot exhaust the stack. */
  #finish(): void {
    for (const [id, { type, naming }] of this.#pending) {
      this.drafts.set(id, readDraft(type, naming, this));
      this.#pending.delete(id);
    }
  }

  #naming(type: ts.Type): Naming | null {
    let naming = this.#namings.get(type);
    if (naming === undefined) {
      naming = namingOf(type, this.compilation);
      this.#namings.set(type, naming);
    }
    return naming;
  }
}
