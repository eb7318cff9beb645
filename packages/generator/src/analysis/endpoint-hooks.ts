import type { HookModel } from '../model/index.js';
import { ts } from './compiler.js';

/** The hooks in the order of the lifecycle, with the position of the signal among their parameters. */
const hooks = [
  { name: 'mapRequestToCommand', signalAt: 1 },
  { name: 'onBeforeExecute', signalAt: 2 },
  { name: 'dispatchCommand', signalAt: 1 },
  { name: 'onAfterExecute', signalAt: 3 },
  { name: 'onError', signalAt: 3 },
] as const;

/**
 * The hooks that a class overrides, itself or in one of its bases; `classes` starts with the class. Empty when the source does not say
 * which: a decorator may replace a class, and a computed name may be that of a hook.
 */
export function readHooks(classes: readonly ts.ClassLikeDeclaration[]): HookModel[] {
  if (classes.some((one) => isDecorated(one) || one.members.some(hasUnknownName))) return [];
  return hooks.flatMap(({ name, signalAt }) => {
    const overriding = classes.map((one) => implementationsOf(one, name)).find((members) => members.length > 0);
    return overriding === undefined ? [] : [{ name, takesSignal: overriding.some((hook) => takes(hook, signalAt)) }];
  });
}

/** Whether a member may see its parameter at a position. A method that declares fewer, without a rest or `arguments`, cannot. */
function takes(member: ts.ClassElement, position: number): boolean {
  if (!ts.isMethodDeclaration(member) || isDecorated(member)) return true;
  const parameters = member.parameters.filter(({ name }) => !ts.isIdentifier(name) || name.text !== 'this');
  if (parameters.length > position || parameters.some(({ dotDotDotToken }) => dotDotDotToken !== undefined))
    return true;
  return mentionsArguments(member);
}

function mentionsArguments(node: ts.Node): boolean {
  if (ts.isIdentifier(node) && node.text === 'arguments') return true;
  return ts.forEachChild(node, (child) => mentionsArguments(child) || undefined) === true;
}

/** Without overloads, which say nothing of what the method does. */
function implementationsOf(node: ts.ClassLikeDeclaration, name: string): ts.ClassElement[] {
  return node.members.filter(
    (member) =>
      nameOf(member) === name && !isStatic(member) && !(ts.isMethodDeclaration(member) && member.body === undefined),
  );
}

function nameOf({ name }: ts.ClassElement): string | null {
  if (name === undefined) return null;
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) return name.text;
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression) ? name.expression.text : null;
}

function hasUnknownName(member: ts.ClassElement): boolean {
  return member.name !== undefined && ts.isComputedPropertyName(member.name) && nameOf(member) === null;
}

function isStatic(member: ts.ClassElement): boolean {
  const modifiers = ts.canHaveModifiers(member) ? ts.getModifiers(member) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) === true;
}

function isDecorated(node: ts.Node): boolean {
  return ts.canHaveDecorators(node) && (ts.getDecorators(node) ?? []).length > 0;
}
