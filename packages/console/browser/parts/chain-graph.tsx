/** A causal chain as a drawing. The list of the same chain is for readers who do not see it. */
import type { JSX } from 'preact';
import type { Chain } from '../../src/contract/index.js';
import { drawnChain, type DrawnNode } from './chain-layout.js';
import { visibleText } from './visible-text.js';

const [laneWidth, rowHeight, top, left] = [190, 46, 34, 16];
const [boxWidth, boxHeight] = [174, 32];
/** At 12 px, about what fits into a box. */
const mostCharacters = 25;

const x = (lane: number): number => left + lane * laneWidth;
const y = (row: number): number => top + row * rowHeight;

export function ChainGraph({
  chain,
  current,
}: {
  readonly chain: Chain;
  readonly current: string | null;
}): JSX.Element {
  const { lanes, nodes, edges } = drawnChain(chain);
  const [width, height] = [x(lanes.length) + left, y(nodes.length) + 8];
  return (
    <div class="scroll graph" role="region" aria-label="Graph of the causal chain" tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {lanes.map((stream, lane) => (
          <g key={stream ?? 'none'}>
            <line class="lane" x1={x(lane) + boxWidth / 2} x2={x(lane) + boxWidth / 2} y1={top} y2={height} />
            <text class="lane-name" x={x(lane)} y={20}>
              {stream === null ? 'commands and access' : `stream …${stream.slice(-8)}`}
            </text>
          </g>
        ))}
        {edges.map(({ from, to }) => (
          <path key={from.node.id + to.node.id} class="edge" d={pathOf(from, to)} />
        ))}
        {nodes.map((drawn) => (
          <Box key={drawn.node.id} drawn={drawn} isCurrent={drawn.node.id === current} />
        ))}
      </svg>
    </div>
  );
}

function pathOf(from: DrawnNode, to: DrawnNode): string {
  const [startX, startY] = [x(from.lane) + boxWidth / 2, y(from.row) + boxHeight];
  const [endX, endY] = [x(to.lane) + boxWidth / 2, y(to.row)];
  const bend = (endY - startY) / 2;
  return `M ${startX} ${startY} C ${startX} ${startY + bend}, ${endX} ${endY - bend}, ${endX} ${endY}`;
}

function Box({
  drawn: { node, lane, row },
  isCurrent,
}: {
  readonly drawn: DrawnNode;
  readonly isCurrent: boolean;
}): JSX.Element {
  const { entry } = node;
  const name = visibleText(entry.type.slice(entry.type.lastIndexOf('.') + 1));
  return (
    <g class={`node ${entry.result}${isCurrent ? ' current' : ''}`}>
      <rect x={x(lane)} y={y(row)} width={boxWidth} height={boxHeight} rx={5} />
      <text x={x(lane) + 8} y={y(row) + 14}>
        {name.length > mostCharacters ? `${name.slice(0, mostCharacters - 1)}…` : name}
      </text>
      <text class="node-kind" x={x(lane) + 8} y={y(row) + 27}>
        {entry.kind} {entry.at.slice(11, 23)}
      </text>
    </g>
  );
}
