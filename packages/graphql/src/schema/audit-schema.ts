import { ServiceError } from '@svc/core';
import { Kind, parse, type DocumentNode, type ObjectTypeDefinitionNode } from 'graphql';

const text = (queryName: string): string => `
  type Query {
    "Who did what, when and why. The newest records come first."
    ${queryName}(
      "Records about the events of this stream, and about access to it."
      resource: ID
      "Records of this tenant. Callers see those of their own tenant."
      tenant: String
      "What this user did."
      user: String
      "Records of one request, and of everything that it caused."
      correlation: ID
      "Records about this event or command: its audit record, and its failures."
      message: ID
      "Types of events, commands or system events."
      type: [String!]
      "The lowest level: Info, Warning or Critical."
      level: String
      "The earliest time, such as 2026-01-15T09:30:00Z."
      from: String
      "The time before which all records are."
      to: String
      "The order: newest or oldest."
      first: String
      "The size of the page, at most 100."
      limit: Int
      "Continues a search: the next of an earlier page."
      after: String
    ): AuditPage
  }

  "A page of the audit. It can have fewer entries than requested although others follow."
  type AuditPage {
    entries: [AuditEntry!]!
    "The after of the next page; null: there are no more records."
    next: String
  }

  type AuditEntry {
    id: ID!
    "event, command, denial, grant, failure or system"
    kind: String!
    type: String!
    messageId: ID
    streamId: ID
    position: Float
    "What a system event is about, such as the operation and its target"
    about: String
    resourceType: String
    resourceId: String
    at: String!
    userId: String
    userName: String
    tenantId: String
    homeTenantId: String
    roles: [String!]!
    level: String
    reason: String
    auditReason: String
    "succeeded, denied, granted or failed"
    result: String!
    responseType: String
    correlationId: ID!
    cause: AuditCause
  }

  type AuditCause {
    id: ID!
    kind: String
    type: String
  }`;

/** Adds the query for the audit to a schema. A field in `placeholder` is removed: the schema has a query now. */
export function withAuditQuery(document: DocumentNode, queryName: string, placeholder: string): DocumentNode {
  const [query, ...types] = parse(text(queryName)).definitions as readonly ObjectTypeDefinitionNode[];
  const added = new Map(types.map((type) => [type.name.value, type]));
  const definitions = document.definitions.map((definition) => {
    const name = 'name' in definition ? (definition.name?.value ?? '') : '';
    if (added.has(name)) throw nameInUse(name);
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || name !== 'Query') return definition;
    const own = definition.fields ?? [];
    const fields = own.length === 1 && own[0]!.name.value === placeholder ? [] : own;
    if (fields.some((field) => field.name.value === queryName)) throw nameInUse(queryName);
    return { ...definition, fields: [...fields, ...query!.fields!] };
  });
  return { ...document, definitions: [...definitions, ...types] };
}

function nameInUse(name: string): ServiceError {
  return new ServiceError(
    'SVC_NO_GRAPHQL_SCHEMA',
    `The GraphQL schema of the service has ${name}, which is also a name of the audit query. Rename yours, or call addAuditQueries({ graphQLQuery: null }).`,
  );
}
