/**
 * The names of all attributes: those of the semantic conventions where they exist, most of which are not stable yet. No attribute contains
 * a value that a caller can choose: no bodies, no scopes, no error messages.
 */
export const attribute = {
  commandType: 'svc.command.type',
  endpoint: 'svc.endpoint.name',
  decider: 'svc.decider.name',
  eventType: 'svc.event.type',
  outcome: 'svc.outcome',
  perspective: 'svc.perspective.name',
  /** Whether models are rebuilt next to the serving ones. */
  rebuild: 'svc.perspective.rebuild',
  models: 'svc.perspective.models',
  liveStep: 'svc.live.step',
  liveLimit: 'svc.live.limit',
  anchor: 'svc.seal.anchor',
  reaction: 'svc.reaction.name',
  attempt: 'svc.reaction.attempt',
  events: 'svc.append.events',
  outgoing: 'svc.append.outgoing',
  delivered: 'svc.append.delivered',
  received: 'svc.append.received',
  deadLetters: 'svc.append.dead_letters',
  direction: 'svc.dead_letter.direction',
  cause: 'svc.dead_letter.cause',
  scheme: 'svc.authentication.scheme',
  errorType: 'error.type',
  dbSystem: 'db.system.name',
  dbOperation: 'db.operation.name',
  messagingSystem: 'messaging.system',
  messagingOperation: 'messaging.operation.name',
  messagingOperationType: 'messaging.operation.type',
  destination: 'messaging.destination.name',
  messageCount: 'messaging.batch.message_count',
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
} as const;
