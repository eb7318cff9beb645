/** The types that messages are made of. */
export type TypeModel =
  | StringType
  | NumberType
  | { readonly kind: 'boolean' }
  | { readonly kind: 'date' }
  /** Any JSON (`unknown` in the source). */
  | { readonly kind: 'json' }
  /** `void`, `undefined` or `null` as a whole result; written as JSON null. */
  | { readonly kind: 'null' }
  /** One or more literals, also the members of an enum; sorted: strings, numbers, booleans. Never only `true` and `false`. */
  | { readonly kind: 'literal'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'nullable'; readonly type: TypeModel }
  | ArrayType
  | { readonly kind: 'tuple'; readonly items: readonly TypeModel[] }
  /** `Record<string, T>` or `{ [key: string]: T }` */
  | { readonly kind: 'record'; readonly values: TypeModel }
  | ObjectType
  /** Arms that differ in their JSON kind (string, number, boolean, array, object): at most one arm of each. */
  | { readonly kind: 'union'; readonly arms: readonly TypeModel[] }
  | TaggedType
  /** A `NamedType`. */
  | { readonly kind: 'ref'; readonly id: string };

export interface StringType {
  readonly kind: 'string';
  /** `uuid` is `Uuid`, `decimal` is `Decimal`; `format:…` is `string & Format<…>`. */
  readonly format?: 'uuid' | 'decimal' | `format:${string}`;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Whether it is a `Secret`, which is never written. */
  readonly secret?: true;
  /** For decimals. */
  readonly min?: number;
  readonly max?: number;
}

export interface NumberType {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly min?: number;
  readonly max?: number;
}

export interface ArrayType {
  /** The items of a set are scalars, and unique on the wire. */
  readonly kind: 'array' | 'set';
  readonly items: TypeModel;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface ObjectType {
  readonly kind: 'object';
  /** In the order of declaration. */
  readonly properties: readonly PropertyModel[];
  /** Whether unknown properties are ignored; absent: they are rejected. */
  readonly isLenient?: true;
}

export interface PropertyModel {
  readonly name: string;
  readonly type: TypeModel;
  /** `required`: must be present. `optional`: may be omitted. `initialised`: may be omitted; the class's initialiser then supplies it. */
  readonly presence: 'required' | 'optional' | 'initialised';
  readonly description: string | null;
  /** What the initialiser supplies, if the source shows it. */
  readonly default?: DefaultValue;
  /** The name of the property that identifies the subject, if it is personal data. */
  readonly personal?: string;
}

/** A value that a source shows. */
export type DefaultValue = string | number | boolean | null | readonly DefaultValue[];

/** Objects distinguished by the literal value of one property. */
export interface TaggedType {
  readonly kind: 'tagged';
  readonly tag: string;
  /**
   * Sorted by value. `type` is an object or a ref to one, and declares the tag as a literal that is required or initialised by its class. A
   * type whose tag has several values appears once for each.
   */
  readonly arms: readonly { readonly value: string | number | boolean; readonly type: TypeModel }[];
}

/** A class, interface, enum or type alias; a generic one once per set of type arguments. */
export interface NamedType {
  /** `orders/create-order#LineItem`; generic: `paging#Page<orders/create-order#LineItem>`. Unique and stable. */
  readonly id: string;
  /** An identifier, unique within its module: `LineItem`, `PageOfLineItem`. */
  readonly name: string;
  /** The declaring module; null if it is outside the source root (in a package). */
  readonly module: string | null;
  /** The TypeScript expression that names the imported type (`LineItem`); null if it is generic, not exported or in a package. */
  readonly exportName: string | null;
  readonly isClass: boolean;
  /** For a message class: names of the constructor's parameter properties in order; empty for a constructor without parameters. */
  readonly constructorProperties: readonly string[];
  /** Whether it contains itself, directly or through others. */
  readonly isRecursive: boolean;
  readonly description: string | null;
  readonly type: TypeModel;
}
