export type { DocumentsModel, OperationModel } from './document-model.js';
export type {
  ColumnModel,
  ColumnTypeName,
  ConstructorParameter,
  CustomClass,
  DeciderModel,
  EndpointModel,
  HookModel,
  MessageKind,
  MessageModel,
  PathParameter,
  PerspectiveEvent,
  PerspectiveModel,
  ReactionModel,
  ReceptorModel,
  ServiceModel,
} from './service-model.js';
export type {
  ArrayType,
  DefaultValue,
  NamedType,
  NumberType,
  ObjectType,
  PropertyModel,
  StringType,
  TaggedType,
  TypeModel,
} from './type-model.js';
