/** A service whose messages and models have unions, recursive types, tuples, personal data and versions, from the generator. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessageClass, ServiceRegistry } from '@svc/core';
import { Generator, loadProject } from '@svc/generator';

const root = fileURLToPath(new URL('../..', import.meta.url));

const source = `
import {
  eventVersion, messageOf, perspective,
  type Command, type Decimal, type Event, type Personal, type Perspective, type Receptor, type ReceptorContext, type Uuid,
} from '@svc/core';

/** A tree of names. */
export interface Tree {
  name: string;
  /** The smaller trees in it. */
  left?: Tree;
  children: Tree[];
}
export interface Circle { kind: 'circle'; radius: Decimal }
export interface Square { kind: 'square'; side: number }
export type Shape = Circle | Square;

/** Draws a shape. */
export class Draw implements Command {
  drawingId!: Uuid;
  shape!: Shape;
  tree!: Tree;
}
@eventVersion(2, { 1: (body) => body })
export class ShapeDrawn implements Event {
  drawingId!: Uuid;
  shape!: Shape;
  tree!: Tree;
  at: [number, string] = [1, 'x'];
  size: string | number = 1;
  author: (string & Personal<'drawingId'>) | null = null;
}
export class DrawReceptor implements Receptor<Draw> {
  receive({ drawingId, shape, tree }: Draw, context: ReceptorContext): void {
    context.append(drawingId, messageOf(ShapeDrawn, { drawingId, shape, tree, at: [1, 'x'], size: 'XL', author: 'Ada' }));
  }
}
export interface Drawing { shapes: Shape[]; tree: Tree | null; place: [number, string] | null }

@perspective({ route: '/drawings' })
export class DrawingPerspective implements Perspective<Drawing, ShapeDrawn> {
  apply(model: Drawing | null, { shape, tree, at }: ShapeDrawn): Drawing {
    return { shapes: [...(model?.shapes ?? []), shape], tree, place: at };
  }
}
`;

export interface Shapes {
  readonly registry: ServiceRegistry<object>;
  readonly Draw: MessageClass;
  remove(): void;
}

export async function generateShapes(): Promise<Shapes> {
  const folder = join(root, '.cache', `asyncapi-shapes-${process.pid}`);
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shapes', type: 'module' }));
  const options = { noEmit: true, composite: false, declaration: false, declarationMap: false };
  const configuration = { extends: join(root, 'tsconfig.base.json'), compilerOptions: options, include: ['src'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
  writeFileSync(join(folder, 'src/shapes.ts'), source);
  const project = loadProject(folder);
  if ('code' in project) throw new Error(project.message);
  const { diagnostics } = new Generator(project).write();
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  const { registry } = (await import(join(folder, 'src/generated/registry.ts'))) as Pick<Shapes, 'registry'>;
  const { Draw } = (await import(join(folder, 'src/shapes.ts'))) as Pick<Shapes, 'Draw'>;
  return { registry, Draw, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
