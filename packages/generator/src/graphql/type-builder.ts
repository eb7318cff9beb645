import { problem, type Problem } from '../diagnostics/index.js';
import type { NamedType, ObjectType, TaggedType, TypeModel } from '../model/index.js';
import { Definitions } from './definitions.js';
import { armKey, isGraphQLName } from './names.js';
import { literalScalar, numberScalar, stringScalar } from './scalar-types.js';
import type { GraphQLField } from './schema-model.js';
import type { TagUse } from './tag-use.js';

/** Where a type is used: as input or output, and its name if it has none. */
export interface Position {
  readonly direction: 'input' | 'output';
  /** `CreateOrderLineItems` */
  readonly base: string;
  /** Its name in messages: `CreateOrder.lineItems` */
  readonly where: string;
}

/** Converts types to those of a schema, defining what they need. */
export class TypeBuilder {
  readonly definitions: Definitions;
  readonly #find: (id: string) => NamedType;
  readonly #tagUse: TagUse;
  readonly #report: (found: Problem) => void;
  /** Aliases that are being inlined. */
  readonly #open = new Set<string>();

  constructor(find: (id: string) => NamedType, tagUse: TagUse, report: (found: Problem) => void) {
    this.#find = find;
    this.#tagUse = tagUse;
    this.#report = report;
    this.definitions = new Definitions((code, ...names) => report(problem(code, ...names)));
  }

  /** The type with its exclamation mark, unless it is nullable. */
  typeOf(type: TypeModel, at: Position): string {
    switch (type.kind) {
      case 'nullable':
        return this.typeOf(type.type, at).replace(/!$/, '');
      case 'json':
        return this.definitions.scalar('JSON');
      case 'null':
        return this.definitions.scalar('Void');
      case 'string':
        return `${this.definitions.scalar(stringScalar(type))}!`;
      case 'number':
        return `${this.definitions.scalar(numberScalar(type))}!`;
      case 'boolean':
        return 'Boolean!';
      case 'date':
        return `${this.definitions.scalar('DateTime')}!`;
      case 'literal':
        return `${this.#literal(type, at, null)}!`;
      case 'array':
      case 'set':
        return `[${this.typeOf(type.items, at)}]!`;
      case 'object':
        return `${this.#object(type, at, null)}!`;
      case 'tagged':
        return `${this.#tagged(type, at, null)}!`;
      case 'ref':
        return this.#reference(this.#find(type.id), at);
      // GraphQL has no tuples, no maps, and unions of objects only.
      case 'tuple':
      case 'record':
      case 'union':
        return `${this.definitions.scalar('JSON')}!`;
    }
  }

  #reference(named: NamedType, { direction, where }: Position): string {
    const at: Position = { direction, base: named.name, where: named.name };
    switch (named.type.kind) {
      case 'object':
        return `${this.#object(named.type, at, named)}!`;
      case 'tagged':
        return `${this.#tagged(named.type, at, named)}!`;
      case 'literal':
        return `${this.#literal(named.type, at, named)}!`;
      default: {
        // An alias is inlined; one that contains only itself has no end.
        if (this.#open.has(named.id)) return `${this.definitions.scalar('JSON')}!`;
        this.#open.add(named.id);
        const text = this.typeOf(named.type, { ...at, where });
        this.#open.delete(named.id);
        return text;
      }
    }
  }

  #literal(type: TypeModel & { kind: 'literal' }, { base, where }: Position, named: NamedType | null): string {
    const scalar = literalScalar(type.values);
    if (scalar !== 'enum') return this.definitions.scalar(scalar);
    return this.definitions.add(base, named?.id ?? type, where, () => ({
      kind: 'enum',
      name: base,
      description: named?.description ?? null,
      values: type.values.map(String),
    }));
  }

  #object(type: ObjectType, at: Position, named: NamedType | null, tag: string | null = null): string {
    const isInput = at.direction === 'input';
    const name = isInput ? `${at.base}Input` : at.base;
    const typeId = named?.id ?? null;
    return this.definitions.add(name, origin(type, at, named), at.where, () => ({
      kind: isInput ? 'input' : 'type',
      name,
      description: named?.description ?? null,
      isOneOf: false,
      fields: orPlaceholder(isInput ? this.#inputFields(type, at, typeId, tag) : this.#outputFields(type, at)),
      source: type,
      typeId,
    }));
  }

  #inputFields(type: ObjectType, at: Position, typeId: string | null, tag: string | null): GraphQLField[] {
    return type.properties
      .filter(({ name }) => name !== tag && !this.#tagUse.isGivenByKey(typeId, name))
      .map((property) => {
        const isRequired = property.presence === 'required' && !this.#tagUse.mayBeGivenByKey(typeId, property.name);
        return this.#field(property, at, isRequired);
      });
  }

  #outputFields(type: ObjectType, at: Position): GraphQLField[] {
    return type.properties.map((property) => this.#field(property, at, property.presence !== 'optional'));
  }

  #field(
    { name, type, description }: ObjectType['properties'][number],
    at: Position,
    isAlwaysThere: boolean,
  ): GraphQLField {
    const where = `${at.where}.${name}`;
    if (!isGraphQLName(name)) this.#report(problem('SVC1503', where));
    const position = { ...at, where, base: at.base + name.charAt(0).toUpperCase() + name.slice(1) };
    const text = this.typeOf(type, position);
    return {
      name,
      type: isAlwaysThere ? text : text.replace(/!$/, ''),
      description: this.#described(description, type),
    };
  }

  #described(description: string | null, type: TypeModel): string | null {
    const text = withValues(description, type);
    if (!this.#isSecret(type)) return text;
    return `${text === null ? '' : `${text} `}Secret: audit records and logs do not contain it.`;
  }

  /** Whether the value is or directly contains a secret. */
  #isSecret(type: TypeModel): boolean {
    switch (type.kind) {
      case 'string':
        return type.secret === true;
      case 'nullable':
        return this.#isSecret(type.type);
      case 'array':
      case 'set':
        return this.#isSecret(type.items);
      case 'ref': {
        const target = this.#find(type.id).type;
        return target.kind === 'nullable' && this.#isSecret(target);
      }
      default:
        return false;
    }
  }

  #tagged(type: TaggedType, at: Position, named: NamedType | null): string {
    return at.direction === 'input' ? this.#oneOf(type, at, named) : this.#union(type, at, named);
  }

  #oneOf(type: TaggedType, at: Position, named: NamedType | null): string {
    const name = `${at.base}Input`;
    const typeId = named?.id ?? null;
    return this.definitions.add(name, origin(type, at, named), at.where, () => {
      const keys = new Map<string, string | number | boolean>();
      const fields = type.arms.map(({ value, type: arm }) => {
        const key = armKey(value);
        const other = keys.get(key);
        if (other !== undefined) this.#report(problem('SVC1504', at.where, String(other), String(value), key));
        keys.set(key, value);
        return { name: key, type: this.#arm(arm, value, type.tag, at).replace(/!$/, ''), description: null };
      });
      return {
        kind: 'input',
        name,
        description: named?.description ?? null,
        isOneOf: true,
        fields,
        source: type,
        typeId,
      };
    });
  }

  #union(type: TaggedType, at: Position, named: NamedType | null): string {
    const typeId = named?.id ?? null;
    return this.definitions.add(at.base, origin(type, at, named), at.where, () => {
      const arms = type.arms.map(({ value, type: arm }) => ({
        value,
        member: this.#arm(arm, value, type.tag, at).replace(/!$/, ''),
      }));
      const members = [...new Set(arms.map(({ member }) => member))];
      const description = named?.description ?? null;
      return { kind: 'union', name: at.base, description, members, source: type, typeId, arms };
    });
  }

  #arm(arm: TypeModel, value: string | number | boolean, tag: string, at: Position): string {
    if (arm.kind !== 'object') return this.typeOf(arm, at);
    const key = armKey(value);
    return this.#object(arm, { ...at, base: at.base + key.charAt(0).toUpperCase() + key.slice(1) }, null, tag);
  }
}

/** A named type is one type as input and another as output; an anonymous one is itself. */
function origin(type: TypeModel, { direction }: Position, named: NamedType | null): unknown {
  return named === null ? type : `${direction} ${named.id}`;
}

/** A GraphQL type must have at least one field. */
function orPlaceholder(fields: GraphQLField[]): GraphQLField[] {
  if (fields.length > 0) return fields;
  return [{ name: '_', type: 'Boolean', description: 'This type has no fields. Omit it.' }];
}

/** If the GraphQL type does not define the possible values, the description lists them. */
function withValues(description: string | null, type: TypeModel): string | null {
  if (type.kind === 'nullable') return withValues(description, type.type);
  if (type.kind !== 'literal' || literalScalar(type.values) === 'enum') return description;
  const shown = type.values.map((value) => JSON.stringify(value)).join(', ');
  const text = type.values.length === 1 ? `Always ${shown}.` : `One of ${shown}.`;
  return description === null ? text : `${description} ${text}`;
}
