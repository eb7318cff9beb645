/** Where the nodes of a causal chain are drawn: a lane per stream, time downwards. */
import type { Chain, ChainNode } from '../../src/contract/index.js';

export interface DrawnNode {
  readonly node: ChainNode;
  readonly lane: number;
  readonly row: number;
}

export interface DrawnChain {
  /** The streams, in the order in which they first occur. Null: commands and records without a stream. */
  readonly lanes: readonly (string | null)[];
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly { readonly from: DrawnNode; readonly to: DrawnNode }[];
}

export function drawnChain({ nodes, edges }: Chain): DrawnChain {
  const lanes = new Map<string | null, number>();
  const drawn = new Map<string, DrawnNode>();
  nodes.forEach((node, row) => {
    const stream = node.entry.streamId;
    const lane = lanes.get(stream) ?? lanes.size;
    lanes.set(stream, lane);
    drawn.set(node.id, { node, lane, row });
  });
  return {
    lanes: [...lanes.keys()],
    nodes: [...drawn.values()],
    edges: edges.flatMap(({ from, to }) => {
      const [one, other] = [drawn.get(from), drawn.get(to)];
      return one === undefined || other === undefined ? [] : [{ from: one, to: other }];
    }),
  };
}

export interface Branch {
  readonly node: ChainNode;
  readonly consequences: readonly Branch[];
}

/** The same chain as a tree: each node below its cause. A node with several causes is below the first. */
export function chainTree({ nodes, edges }: Chain): readonly Branch[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map<string, string>();
  // A cause is older than its consequence. Edges that say otherwise, such as those of wrong clocks, would make circles.
  const rows = new Map(nodes.map(({ id }, row) => [id, row]));
  for (const { from, to } of edges) {
    if (rows.has(from) && rows.has(to) && rows.get(from)! < rows.get(to)! && !parents.has(to)) parents.set(to, from);
  }
  const children = new Map<string, string[]>();
  for (const [to, from] of parents) children.set(from, [...(children.get(from) ?? []), to]);
  const branchOf = (id: string): Branch => ({
    node: byId.get(id)!,
    consequences: (children.get(id) ?? []).map(branchOf),
  });
  return nodes.filter(({ id }) => !parents.has(id)).map(({ id }) => branchOf(id));
}
