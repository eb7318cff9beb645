/** The operations of the API that the page uses, and what they answer. */
import type {
  AuditPage,
  Chain,
  ChangedCommand,
  ChangedDeadLetters,
  DeadLetterDetails,
  DeadLetterList,
  Denials,
  Deployment,
  EditedDeadLetter,
  EventDetails,
  EventModels,
  History,
  MigrationList,
  OperationList,
  Overview,
  PausedReaction,
  PerspectiveDetails,
  PerspectiveList,
  ProcessHistory,
  ProcessList,
  ReactionDetails,
  ReactionList,
  RequestedOperation,
  RetriedReaction,
  Roles,
  ScheduleList,
  SearchResult,
  Session,
  SignIn,
  SkippedEvent,
  Stream,
  StreamModels,
} from '../../src/contract/index.js';

export interface Answers {
  'GET /sign-in': SignIn;
  'GET /session': Session;
  'GET /overview': Overview;
  'GET /overview/history': History;
  'GET /deployment': Deployment;
  'GET /search': SearchResult;
  'GET /audit': AuditPage;
  'GET /events/:id': EventDetails;
  'GET /events/:id/models': EventModels;
  'GET /chains/:correlation': Chain;
  'GET /streams/:id': Stream;
  'GET /streams/:id/models': StreamModels;
  'GET /access/denials': Denials;
  'GET /access/roles': Roles;
  'GET /perspectives': PerspectiveList;
  'GET /perspectives/:name': PerspectiveDetails;
  'POST /perspectives/:name/rebuild': RequestedOperation;
  'POST /perspectives/:name/retry': RequestedOperation;
  'GET /reactions': ReactionList;
  'GET /reactions/:name': ReactionDetails;
  'POST /reactions/:name/retry': RetriedReaction;
  'POST /reactions/:name/skip': SkippedEvent;
  'POST /reactions/:name/pause': PausedReaction;
  'POST /reactions/:name/resume': PausedReaction;
  'GET /schedule': ScheduleList;
  'POST /schedule/:id/cancel': ChangedCommand;
  'POST /schedule/:id/run': ChangedCommand;
  'GET /processes': ProcessList;
  'GET /processes/:process/:key': ProcessHistory;
  'GET /operations': OperationList;
  'GET /operations/:id': RequestedOperation;
  'POST /operations/:id/cancel': RequestedOperation;
  'GET /dead-letters': DeadLetterList;
  'GET /dead-letters/:id': DeadLetterDetails;
  'POST /dead-letters/replay': ChangedDeadLetters;
  'POST /dead-letters/discard': ChangedDeadLetters;
  'POST /dead-letters/:id/edit': EditedDeadLetter;
  'GET /migrations': MigrationList;
}
