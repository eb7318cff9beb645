import type { MessageKind } from '../model/index.js';
import { ts } from './compiler.js';
import type { MessageFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { readStoredType } from './stored-types.js';
import { isAbstract, qualifiedName } from './types/index.js';

const kindTexts: Readonly<Record<MessageKind, string>> = {
  command: 'a command',
  event: 'an event',
  systemEvent: 'a system event',
};

/** A class that implements one of the markers, as a message; null for any other class. */
export function readMessage(node: ts.ClassLikeDeclaration, context: ModuleContext): MessageFact | null {
  const { compilation, program } = context;
  const symbol = compilation.symbolOfClass(node);
  const kinds = program.heritage.kindsOf(symbol);
  if (kinds.size === 0 || isAbstract(node)) return null;
  const kind = kinds.has('command') ? 'command' : kinds.has('systemEvent') ? 'systemEvent' : 'event';
  const text = kindTexts[kind];
  if (node.name === undefined || ts.isClassExpression(node)) {
    context.report(node.name ?? node, 'SVC1304', text);
    return null;
  }
  const name = node.name.text;
  if (kinds.has('command') && kinds.has('event')) context.report(node.name, 'SVC1306', name);
  const isGeneric = node.typeParameters !== undefined;
  if (isGeneric) context.report(node.name, 'SVC1302', name, text);
  const isUsable = !isGeneric && compilation.exportNameOf(symbol) === name;
  if (!isUsable && !isGeneric) context.report(node.name, 'SVC1301', name, text);
  if (!isGeneric) context.readClass(context.checker.getDeclaredTypeOfSymbol(symbol));
  return {
    kind,
    name,
    module: context.module,
    typeId: qualifiedName(symbol, compilation),
    storedAs: readStoredType(symbol, name, context),
    isUsable,
    at: compilation.locationOf(node.name),
  };
}
