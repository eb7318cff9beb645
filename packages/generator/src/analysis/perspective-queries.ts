import { ts } from './compiler.js';
import { readOptions, readText, type OptionText } from './decorator-options.js';
import type { PerspectiveFact } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { fieldFault } from './routes.js';
import { isAbstract, typeText } from './types/index.js';

type QueryOption = 'graphQLQuery' | 'graphQLListQuery';

/** The route and the queries that a use of `perspective` declares. */
export function readQueries(
  perspective: ts.Symbol,
  name: string,
  context: ModuleContext,
): Pick<PerspectiveFact, 'route' | QueryOption> {
  const [use, second] = context.program.perspectiveCalls
    .in(context.file)
    .filter(({ target }) => target === perspective);
  if (second !== undefined) context.report(second.call, 'SVC1704', name);
  if (use === undefined) return { route: null, graphQLQuery: null, graphQLListQuery: null };
  const options = readOptions(use.call, context.checker);
  const literal = (option: 'route' | QueryOption): OptionText | null =>
    readText(options.get(option), ({ type, node }) =>
      context.report(node, 'SVC1701', option, name, typeText(type, context.compilation)),
    );
  const read = (option: QueryOption): OptionText | null => {
    const text = literal(option);
    const fault = text === null ? null : fieldFault(text.value);
    if (text !== null && fault !== null) context.report(text.node, 'SVC1702', text.value, name, fault);
    return text;
  };
  return {
    route: context.located(literal('route')),
    graphQLQuery: context.located(read('graphQLQuery')),
    graphQLListQuery: context.located(read('graphQLListQuery')),
  };
}

/** Reports uses of `perspective` on something else than a perspective of the module: they would have no effect, or a wrong one. */
export function checkPerspectiveCalls(context: ModuleContext): void {
  for (const { call, target, targetName } of context.program.perspectiveCalls.in(context.file)) {
    const node = target?.valueDeclaration;
    if (node === undefined || !ts.isClassLike(node)) context.report(call, 'SVC1705', targetName, 'is not a class');
    else if (node.getSourceFile() !== context.file) context.report(call, 'SVC1706', targetName);
    else if (context.program.heritage.argumentsOf(node, context.compilation.core.perspective).length === 0) {
      context.report(call, 'SVC1705', targetName, 'does not implement Perspective');
    } else if (isAbstract(node)) context.report(call, 'SVC1705', targetName, 'is abstract');
  }
}
