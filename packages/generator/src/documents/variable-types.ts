import type { PropertyModel, TypeModel } from '../model/index.js';
import {
  graphQLLibrary,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type OperationDefinitionNode,
} from './graphql-js.js';
import { orNull, scalarType, type NamedTypes } from './named-types.js';
import type { DocumentSchema } from './schema.js';

/** No value at all. */
const never: TypeModel = { kind: 'union', arms: [] };

/** The types of variables. */
export class VariableTypes {
  readonly #schema: DocumentSchema;
  readonly #types: NamedTypes;
  readonly #inputs = new Map<string, TypeModel>();

  constructor(schema: DocumentSchema, types: NamedTypes) {
    this.#schema = schema;
    this.#types = types;
  }

  /** Null if an operation has no variables. */
  of({ name, variableDefinitions = [] }: OperationDefinitionNode): TypeModel | null {
    const { isNonNullType, typeFromAST } = graphQLLibrary();
    if (variableDefinitions.length === 0) return null;
    return this.#types.addLater(`${name!.value}Variables`, null, () => ({
      kind: 'object',
      properties: variableDefinitions.map(({ variable, type: node, defaultValue }): PropertyModel => {
        const type = typeFromAST(this.#schema.schema, node) as GraphQLInputType;
        return {
          name: variable.name.value,
          type: this.#input(type, null),
          presence: isNonNullType(type) && defaultValue === undefined ? 'required' : 'optional',
          description: null,
        };
      }),
    }));
  }

  #input(type: GraphQLInputType, source: TypeModel | null): TypeModel {
    if (graphQLLibrary().isNonNullType(type)) return this.#present(type.ofType, source);
    return orNull(this.#present(type, source));
  }

  /** @param source the type in the service, if it is known */
  #present(type: GraphQLInputType, source: TypeModel | null): TypeModel {
    const { isEnumType, isListType, isScalarType } = graphQLLibrary();
    const known = this.#schema.resolved(source);
    if (isListType(type)) {
      const list = known?.kind === 'array' || known?.kind === 'set' ? known : null;
      return { kind: list?.kind ?? 'array', items: this.#input(type.ofType, list?.items ?? null) };
    }
    if (isEnumType(type)) return known ?? { kind: 'literal', values: type.getValues().map(({ name }) => name) };
    if (isScalarType(type)) return known ?? scalarType(type.name);
    return this.#object(type);
  }

  #object(type: GraphQLInputObjectType): TypeModel {
    const known = this.#inputs.get(type.name);
    if (known !== undefined) return known;
    return this.#types.addLater(type.name, type.description ?? null, (own) => {
      this.#inputs.set(type.name, own);
      return type.isOneOf ? this.#oneOf(type) : { kind: 'object', properties: this.#properties(type) };
    });
  }

  #properties(type: GraphQLInputObjectType): PropertyModel[] {
    return Object.values(type.getFields()).map((field) => ({
      name: field.name,
      type: this.#input(field.type, this.#schema.sourceOf(type.name, field.name)),
      presence: graphQLLibrary().isNonNullType(field.type) ? 'required' : 'optional',
      description: field.description ?? null,
    }));
  }

  /** Exactly one of the fields, and not null. */
  #oneOf(type: GraphQLInputObjectType): TypeModel {
    const fields = this.#properties(type);
    const property = ({ name, type: own, description }: PropertyModel, chosen: PropertyModel): PropertyModel =>
      name === chosen.name
        ? { name, type: own.kind === 'nullable' ? own.type : own, presence: 'required', description }
        : { name, type: never, presence: 'optional', description };
    return {
      kind: 'union',
      arms: fields.map((chosen) => ({ kind: 'object', properties: fields.map((field) => property(field, chosen)) })),
    };
  }
}
