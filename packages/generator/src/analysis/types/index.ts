export { constructionOf, isAbstract, isOptionalParameter, parametersOf } from './classes.js';
export { declaredName, descriptionOf } from './declared-names.js';
export { Scope, type Finding, type Reference, type SecretPlace, type Site, type TypeDraft } from './draft.js';
export { lenientCalls } from './lenient-classes.js';
export { isOpen } from './open-types.js';
export { TypeConverter } from './type-converter.js';
export { withoutNothing } from './type-reader.js';
export { qualifiedName, typeText } from './type-text.js';
