import { ts } from './compiler.js';
import { readHooks } from './endpoint-hooks.js';
import type { CustomEndpointFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { checkPublic, isDispatcher, readParameters } from './parameters.js';
import { isAbstract } from './types/index.js';

/**
 * A class that extends a generated endpoint, directly or through classes of the user. Found by its imports: the generated module may not
 * exist yet, and is treated as empty if it does.
 */
export function readCustomEndpoint(node: ts.ClassLikeDeclaration, context: ModuleContext): CustomEndpointFact | null {
  if (isAbstract(node)) return null;
  const line = lineOf(node, context);
  if (line === null) return null;
  const { compilation } = context;
  const name = node.name?.text ?? 'This class';
  const place = node.name ?? node;
  if (compilation.exportNameOf(compilation.symbolOfClass(node)) !== name) context.report(place, 'SVC1113', name);
  const constructor = line.classes.map(constructorOf).find((found) => found !== undefined);
  checkPublic(constructor, name, context);
  checkFirstParameter(constructor, name, context);
  return {
    name,
    module: context.module,
    ...line.base,
    parameters: readParameters(constructor?.parameters ?? [], name, context),
    mapsRequest: line.classes.some((one) => one.members.some((member) => memberName(member) === 'mapRequestToCommand')),
    hooks: readHooks(line.classes),
    at: compilation.locationOf(place),
  };
}

interface Line {
  /** The class, and the user's classes between it and the generated one. */
  readonly classes: readonly ts.ClassLikeDeclaration[];
  readonly base: { readonly baseModule: string; readonly baseName: string };
}

function lineOf(node: ts.ClassLikeDeclaration, context: ModuleContext): Line | null {
  const classes: ts.ClassLikeDeclaration[] = [];
  for (let current: ts.ClassLikeDeclaration | undefined = node; current !== undefined && !classes.includes(current);) {
    classes.push(current);
    const base: ts.Expression | undefined = baseExpressionOf(current);
    if (base === undefined) return null;
    const generated = generatedBase(base, context);
    if (generated !== null) return { classes, base: generated };
    current = context.compilation.symbolAt(base)?.declarations?.find(ts.isClassLike);
  }
  return null;
}

function baseExpressionOf(node: ts.ClassLikeDeclaration): ts.Expression | undefined {
  return node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0]?.expression;
}

/** `generated.CreateOrderEndpoint` of a namespace import, or the name of a named import. */
function generatedBase(base: ts.Expression, context: ModuleContext): Line['base'] | null {
  const isQualified = ts.isPropertyAccessExpression(base);
  const imported = context.checker.getSymbolAtLocation(isQualified ? base.expression : base)?.declarations?.[0];
  if (imported === undefined) return null;
  if (isQualified) {
    if (!ts.isNamespaceImport(imported)) return null;
    return fromModule(imported.parent.parent, base.name.text, context);
  }
  if (!ts.isImportSpecifier(imported)) return null;
  const name = (imported.propertyName ?? imported.name).text;
  return fromModule(imported.parent.parent.parent, name, context);
}

function fromModule(node: ts.Node, baseName: string, { checker, compilation }: ModuleContext): Line['base'] | null {
  if (!ts.isImportDeclaration(node)) return null;
  const file = checker.getSymbolAtLocation(node.moduleSpecifier)?.declarations?.[0]?.getSourceFile().fileName;
  if (file === undefined || !compilation.paths.isGenerated(file)) return null;
  const baseModule = compilation.paths.moduleOf(file);
  return baseModule?.endsWith('.endpoint') === true ? { baseModule, baseName } : null;
}

function constructorOf(node: ts.ClassLikeDeclaration): ts.ConstructorDeclaration | undefined {
  return node.members.filter(ts.isConstructorDeclaration).find(({ body }) => body !== undefined);
}

function checkFirstParameter(
  constructor: ts.ConstructorDeclaration | undefined,
  name: string,
  context: ModuleContext,
): void {
  if (constructor === undefined) return;
  const first = constructor.parameters[0];
  if (first === undefined) context.report(constructor, 'SVC1114', name, 'takes no dispatcher');
  else if (!isDispatcher(first, context)) {
    context.report(first, 'SVC1114', name, `starts with ${first.getText()}`);
  }
}

function memberName(member: ts.Node): string | null {
  const name = ts.getNameOfDeclaration(member as ts.Declaration);
  return name !== undefined && ts.isIdentifier(name) ? name.text : null;
}
