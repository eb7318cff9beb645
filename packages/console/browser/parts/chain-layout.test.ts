import { expect, it } from 'vitest';
import type { Chain, ChainNode } from '../../src/contract/index.js';
import { chainTree, drawnChain, type Branch } from './chain-layout.js';

const nodeOf = (id: string, streamId: string | null): ChainNode =>
  ({ id, entry: { id, streamId }, origin: null, traceId: null }) as unknown as ChainNode;

const chainOf = (nodes: readonly ChainNode[], edges: readonly (readonly [string, string])[]): Chain => ({
  correlationId: 'c',
  nodes: [...nodes],
  edges: edges.map(([from, to]) => ({ from, to })),
  isComplete: true,
});

const textOf = (branches: readonly Branch[]): string =>
  branches.map(({ node, consequences }) => `${node.id}(${textOf(consequences)})`).join(' ');

const order = [
  nodeOf('command', null),
  nodeOf('cancelled', 'order'),
  nodeOf('refunded', 'payment'),
  nodeOf('closed', 'order'),
];

it('draws a lane per stream, in the order of their first events, and time downwards', () => {
  const drawn = drawnChain(
    chainOf(order, [
      ['command', 'cancelled'],
      ['elsewhere', 'closed'],
    ]),
  );
  expect(drawn.lanes).toEqual([null, 'order', 'payment']);
  expect(drawn.nodes.map(({ node, lane, row }) => [node.id, lane, row])).toEqual([
    ['command', 0, 0],
    ['cancelled', 1, 1],
    ['refunded', 2, 2],
    ['closed', 1, 3],
  ]);
  expect(drawn.edges.map(({ from, to }) => [from.node.id, to.node.id])).toEqual([['command', 'cancelled']]);
});

it('puts each node below its first cause', () => {
  const edges = [
    ['command', 'cancelled'],
    ['cancelled', 'refunded'],
    ['command', 'closed'],
    ['refunded', 'closed'],
  ] as const;
  expect(textOf(chainTree(chainOf(order, edges)))).toBe('command(cancelled(refunded()) closed())');
});

it('shows every node once, also if edges form a circle', () => {
  const edges = [
    ['command', 'cancelled'],
    ['cancelled', 'command'],
  ] as const;
  expect(textOf(chainTree(chainOf(order, edges)))).toBe('command(cancelled()) refunded() closed()');
});
