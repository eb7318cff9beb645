/** The GraphQL library. It is loaded when the first document is read: most runs of the generator have none. */
import { createRequire } from 'node:module';
import type * as GraphQLLibrary from 'graphql';
import type {
  DefinitionNode,
  FieldNode,
  FragmentDefinitionNode,
  FragmentSpreadNode,
  InlineFragmentNode,
  OperationDefinitionNode,
  SelectionNode,
} from 'graphql';

const require = createRequire(import.meta.url);
let loaded: typeof GraphQLLibrary | undefined;

export function graphQLLibrary(): typeof GraphQLLibrary {
  return (loaded ??= require('graphql') as typeof GraphQLLibrary);
}

export function isField(node: SelectionNode): node is FieldNode {
  return node.kind === graphQLLibrary().Kind.FIELD;
}

export function isSpread(node: SelectionNode): node is FragmentSpreadNode {
  return node.kind === graphQLLibrary().Kind.FRAGMENT_SPREAD;
}

export function isInline(node: SelectionNode): node is InlineFragmentNode {
  return node.kind === graphQLLibrary().Kind.INLINE_FRAGMENT;
}

export function isOperation(node: DefinitionNode): node is OperationDefinitionNode {
  return node.kind === graphQLLibrary().Kind.OPERATION_DEFINITION;
}

export function isFragment(node: DefinitionNode): node is FragmentDefinitionNode {
  return node.kind === graphQLLibrary().Kind.FRAGMENT_DEFINITION;
}

export type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLSchema,
  GraphQLUnionType,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  Source,
  ValidationRule,
  VariableDefinitionNode,
} from 'graphql';
