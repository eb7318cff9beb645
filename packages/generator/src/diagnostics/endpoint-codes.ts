import type { CodeEntry } from './code-table.js';

/** SVC11xx: commands and their endpoints. */
export const endpointCodes = {
  SVC1101: {
    title: 'commandEndpoint lacks type arguments',
    message: (command: string) =>
      `commandEndpoint on ${command} needs two type arguments, the command and its result. Write commandEndpoint<${command}, Result>({ … }), with void for no result.`,
  },
  SVC1102: {
    title: 'commandEndpoint names another command',
    message: (given: string, command: string) =>
      `commandEndpoint<${given}, …> is on ${command}. Its first type argument must be the class itself. Write commandEndpoint<${command}, …>.`,
  },
  SVC1103: {
    title: 'commandEndpoint is on a class that is not a command',
    message: (name: string, reason: string) =>
      `${name} has a commandEndpoint but ${reason}. Write class ${name} implements Command, with Command from @svc/core, or remove the endpoint.`,
  },
  SVC1104: {
    title: 'A route or mutation name is not a literal',
    message: (option: string, command: string, type: string) =>
      `${option} of ${command} is ${type}, so its value is unknown to the generator. Use a string literal, or a const that holds one (with as const if it is computed from others).`,
  },
  SVC1105: {
    title: 'A route is not valid',
    message: (route: string, command: string, reason: string) =>
      `The route ${route} of ${command} ${reason}. Use a path such as /orders/cancel or /orders/:orderId/cancel.`,
  },
  SVC1106: {
    title: 'A mutation name is not valid',
    message: (name: string, command: string, reason: string) =>
      `The GraphQL mutation ${name} of ${command} ${reason}. Use letters, digits and underscores, not starting with a digit: createOrder.`,
  },
  SVC1107: {
    title: 'Two commands or perspectives have the same route',
    message: (route: string, name: string, other: string) =>
      `${name} and ${other} both have the route ${route}. Give one of them another route.`,
  },
  SVC1108: {
    title: 'Two commands have the same mutation name',
    message: (name: string, command: string, other: string) =>
      `${command} and ${other} both have the GraphQL mutation ${name}. Give one of them another name.`,
  },
  SVC1109: {
    title: 'A request type is not a class',
    message: (text: string, command: string) =>
      `requestType of ${command} is ${text}, which is not a class. Use a class that declares the properties of the request.`,
  },
  SVC1110: {
    title: 'No code maps the request to the command',
    message: (request: string, command: string) =>
      `Callers send a ${request} for ${command}, but no code maps it to the command. Extend the generated ${command}Endpoint and override mapRequestToCommand.`,
  },
  SVC1111: {
    title: 'Two classes extend the same endpoint',
    message: (subclass: string, other: string, endpoint: string) =>
      `${subclass} and ${other} both extend ${endpoint}, but only one class can serve the command. Remove one, or make the shared one abstract and extend it.`,
  },
  SVC1112: {
    title: 'A class extends an endpoint that is not generated',
    message: (subclass: string, endpoint: string, file: string) =>
      `${subclass} extends ${endpoint} of ${file}, which is not generated for any command. Give the command a commandEndpoint with a route or a mutation, or correct the import.`,
  },
  SVC1113: {
    title: 'A custom endpoint is not exported',
    message: (subclass: string) =>
      `${subclass} extends a generated endpoint but is not exported by its name, so it cannot be served. Write export class ${subclass}.`,
  },
  SVC1114: {
    title: 'The constructor of a custom endpoint does not start with the dispatcher',
    message: (subclass: string, found: string) =>
      `The constructor of ${subclass} ${found}. Its first parameter must be the dispatcher: constructor(dispatcher: Dispatcher, …) { super(dispatcher); }, with Dispatcher from @svc/core.`,
  },
  SVC1115: {
    title: 'A command has two commandEndpoints',
    message: (command: string) => `${command} has a second commandEndpoint. Combine both into one.`,
  },
  SVC1116: {
    title: 'commandEndpoint is called outside the module of its command',
    message: (command: string) =>
      `commandEndpoint is called on ${command}, which is declared in another module. Move the call into the module that declares ${command}.`,
  },
  SVC1117: {
    title: 'A constructor parameter cannot be supplied',
    message: (owner: string, parameter: string) =>
      `The constructor of ${owner} has ${parameter}, but services are injected by parameter name. Use plain named parameters, one for each service.`,
  },
  SVC1118: {
    title: 'A constructor is not public',
    message: (owner: string) =>
      `${owner} has a private or protected constructor, so the registry cannot create it. Make the constructor public.`,
  },
  SVC1119: {
    title: 'A request class is not exported',
    message: (request: string, command: string) =>
      `requestType of ${command} is ${request}, which is not exported by its name from a module below the source root. Write export class ${request} there.`,
  },
} as const satisfies Record<string, CodeEntry>;
