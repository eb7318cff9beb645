/** The mutants of a source file: where each is, what it replaces, and what by. */
import { replacementsOf } from './operators.mjs';
import { childrenOf, parseSource } from './syntax.mjs';

/** A tree of the nodes that have mutants, or parts that have; `index` counts the mutants of a file from 0. */
export function mutantsOf(source, file) {
  const mutants = [];
  const program = parseSource(source, file);
  const root = visit(program, { parent: program, place: '', isMessage: false, isConstructor: false }, (node, one) => {
    mutants.push({ ...one, index: mutants.length, line: node.loc.start.line, start: node.start, end: node.end });
    return mutants.length - 1;
  });
  return { mutants, root, source };

  function visit(node, around, add) {
    const own = replacementsOf(node, around, source).map((one) => add(node, one));
    const inner = innerOf(node, around);
    const parts = childrenOf(node)
      .filter(({ place }) => !isKey(node, place))
      .map(({ child, place }) => visit(child, { parent: node, place, ...inner }, add))
      .filter((part) => part.own.length > 0 || part.parts.length > 0);
    return { start: node.start, end: node.end, isStatement: node.type === 'ExpressionStatement', own, parts };
  }
}

function innerOf(node, { isMessage, isConstructor }) {
  const throws = node.type === 'ThrowStatement' || (node.type === 'NewExpression' && isError(node.callee));
  const isFunction = node.type === 'ClassMethod' || /Function/.test(node.type);
  return {
    isMessage: isMessage || throws,
    isConstructor: isFunction ? node.kind === 'constructor' : isConstructor,
  };
}

function isError({ name = '' }) {
  return name.endsWith('Error');
}

/** Names of properties and of what is exported are no values. */
function isKey(node, place) {
  if (node.type === 'ExportSpecifier' || node.type === 'ImportDeclaration') return true;
  return (place === 'key' || place === 'property') && !node.computed;
}
