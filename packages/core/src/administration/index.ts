export { Administration } from './administration.js';
export type { AccessAdministration, CountedDenials, KnownUsers, UserAccess } from './access-administration.js';
export type { AdministrationParts } from './administration-parts.js';
export type { EventAdministration, ShownBody, ShownEvent, ShownModel } from './event-administration.js';
export type { MigrationAdministration, SchemaState } from './migration-administration.js';
export { provenanceOf, type Provenance } from './provenance.js';
export type { Match, Search } from './search.js';
export type {
  ShownModels,
  ShownSnapshot,
  ShownStream,
  StreamAdministration,
  StreamPage,
} from './stream-administration.js';
export type { ShownRewind } from './stream-rewinds.js';
