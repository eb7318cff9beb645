export interface TypeRef {
  readonly kind: string;
  readonly name: string | null;
  readonly ofType: TypeRef | null;
}

export interface Field {
  readonly name: string;
  readonly type: TypeRef;
}

export function operationSkeleton(
  mutation: Field & { readonly args: readonly Field[] },
  types: readonly { readonly name: string; readonly kind: string }[],
): { query: string; variables: Record<string, unknown> };

export function typeText(type: TypeRef): string;
