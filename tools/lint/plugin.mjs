/** The lint rule of this project: which modules may import which. */
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { violation } from './layers.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const layers = {
  create(context) {
    const file = relative(root, context.filename).split(sep).join('/');
    const check = (node) => {
      if (typeof node.source?.value !== 'string') return;
      const message = violation(file, node.source.value);
      if (message !== null) context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default { meta: { name: 'svc' }, rules: { layers } };
