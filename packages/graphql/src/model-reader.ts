import { ServiceError, type Service } from '@svc/core';
import { readStoredModel } from '@svc/core/hosting';
import { getNamedType, type GraphQLField } from 'graphql';

/** Reads a model from its JSON. */
export type ToModel = (text: string) => unknown;

export function modelReader<TServices extends object>(name: string, { registry }: Service<TServices>): ToModel {
  const descriptor = registry.perspectives?.find((found) => found.name === name);
  if (descriptor === undefined)
    throw new ServiceError('SVC_UNKNOWN_PERSPECTIVE', `${name} is not in the registry. Run svc generate.`);
  return (text) => readStoredModel(descriptor, text);
}

/** The reader for a field that returns one model: a model without a GraphQL type is returned as stored. */
export function readerFor(field: GraphQLField<unknown, unknown>, toModel: ToModel): ToModel {
  const isJson = getNamedType(field.type).name === 'JSON';
  return isJson ? (text) => JSON.parse(text) as unknown : toModel;
}
