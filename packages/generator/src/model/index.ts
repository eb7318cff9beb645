export type {
  ColumnModel,
  ColumnTypeName,
  ConstructorParameter,
  CustomClass,
  EndpointModel,
  HookModel,
  MessageKind,
  MessageModel,
  PerspectiveEvent,
  PerspectiveModel,
  ReceptorModel,
  ServiceModel,
} from './service-model.js';
export type {
  ArrayType,
  NamedType,
  NumberType,
  ObjectType,
  PropertyModel,
  StringType,
  TaggedType,
  TypeModel,
} from './type-model.js';
