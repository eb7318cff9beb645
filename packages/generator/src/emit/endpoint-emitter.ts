import type { EndpointModel, MessageModel } from '../model/index.js';
import { endpointModule } from './names.js';
import { quoted, SourceFile } from './source-file.js';
import type { TypeIndex } from './type-index.js';
import { TypeText } from './type-text.js';

/** The class that a user may extend. It is small: all behaviour is in its base class. */
export function emitEndpoint(endpoint: EndpointModel, command: MessageModel, types: TypeIndex): SourceFile {
  const file = new SourceFile(endpointModule(command.module, command.name));
  file.uniqueName(endpoint.name);
  const texts = new TypeText(file, types);
  const commandType = file.useTypeFrom(command.module, command.name);
  const typeArguments = [commandType, texts.of(endpoint.result)];
  const members: string[] = [];

  const names = Object.entries({ restRoute: endpoint.restRoute, graphQLMutation: endpoint.graphQLMutation });
  members.push(
    names
      .filter((entry): entry is [string, string] => entry[1] !== null)
      .map(([property, name]) => `  readonly ${property}: string = ${quoted(name)};`)
      .join('\n'),
  );
  if (endpoint.requestTypeId !== null) {
    const request = texts.named(endpoint.requestTypeId);
    typeArguments.push(request);
    const involved = [endpoint.name, request, command.name].map(quoted).join(', ');
    members.push(
      [
        `  protected override mapRequestToCommand(_request: ${request}, _signal: AbortSignal): ${commandType} | Promise<${commandType}> {`,
        `    throw ${file.use('@svc/core/json', 'requestNotMapped')}(${involved});`,
        '  }',
      ].join('\n'),
    );
  }
  const base = file.use('@svc/core', endpoint.restRoute === null ? 'GraphQLMutationBase' : 'RestMutationEndpointBase');
  file.declare(
    `export class ${endpoint.name} extends ${base}<${typeArguments.join(', ')}> {\n${members.join('\n\n')}\n}`,
  );
  return file;
}
