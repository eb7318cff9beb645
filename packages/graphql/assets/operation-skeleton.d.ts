export interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType: TypeRef | null;
}

export interface Field {
  readonly name: string;
  readonly type: TypeRef;
}

export interface Argument extends Field {
  /** As GraphQL writes it; absent or null when there is none. */
  readonly defaultValue?: string | null;
}

export function operationSkeleton(
  kind: 'mutation' | 'query',
  field: Field & { readonly args: readonly Argument[] },
  types: readonly { readonly name: string; readonly kind: string }[],
): { query: string; variables: Record<string, unknown> };

export function typeText(type: TypeRef): string;
