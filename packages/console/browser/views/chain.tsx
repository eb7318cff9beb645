/** What a request caused, across streams: as a graph, and as a list of causes and consequences. */
import type { JSX } from 'preact';
import type { Chain, ChainNode } from '../../src/contract/index.js';
import { call } from '../api/client.js';
import { useResource } from '../api/resource.js';
import { ChainGraph } from '../parts/chain-graph.js';
import { chainTree, type Branch } from '../parts/chain-layout.js';
import { formatted } from '../parts/formats.js';
import { Empty, Shown } from '../parts/states.js';
import { Status } from '../parts/status.js';
import { Id, Link, Text, Time } from '../parts/texts.js';
import { TraceId } from '../parts/trace-id.js';
import { Section, View } from '../parts/view.js';
import { Actor, placeOfEntry, ResultStatus } from './audit-columns.js';

export function ChainView({ correlation }: { readonly correlation: string }): JSX.Element {
  return (
    <View heading={correlation} label="Causal chain" lead="What one request caused, in all streams, the oldest first.">
      <ChainSection correlation={correlation} current={null} />
      <p>
        <Link to={['audit']} query={{ correlation }}>
          All audit records of this chain
        </Link>
      </p>
    </View>
  );
}

/** @param current the id of the node that the view is about */
export function ChainSection({
  correlation,
  current,
}: {
  readonly correlation: string;
  readonly current: string | null;
}): JSX.Element {
  const chain = useResource(correlation, (signal) =>
    call('GET /chains/:correlation', { params: { correlation }, signal }),
  );
  return (
    <Section heading="Causes and consequences">
      <Shown of={chain}>
        {(value) =>
          value.nodes.length === 0 ? (
            <Empty>No audited event or command has this correlation.</Empty>
          ) : (
            <Parts chain={value} current={current} />
          )
        }
      </Shown>
    </Section>
  );
}

function Parts({ chain, current }: { readonly chain: Chain; readonly current: string | null }): JSX.Element {
  return (
    <>
      {!chain.isComplete && (
        <p class="note">The first {formatted.count(chain.nodes.length, 'record')} of this chain.</p>
      )}
      <div class="chain">
        <ol class="tree" aria-label="Causes and consequences">
          {chainTree(chain).map((branch) => (
            <Item key={branch.node.id} branch={branch} current={current} />
          ))}
        </ol>
        <ChainGraph chain={chain} current={current} />
      </div>
    </>
  );
}

function Item({
  branch: { node, consequences },
  current,
}: {
  readonly branch: Branch;
  readonly current: string | null;
}): JSX.Element {
  return (
    <li>
      <Node node={node} isCurrent={node.id === current} />
      {consequences.length > 0 && (
        <ol>
          {consequences.map((branch) => (
            <Item key={branch.node.id} branch={branch} current={current} />
          ))}
        </ol>
      )}
    </li>
  );
}

function Node({
  node: { entry, origin, traceId },
  isCurrent,
}: {
  readonly node: ChainNode;
  readonly isCurrent: boolean;
}): JSX.Element {
  return (
    <div class={isCurrent ? 'tree-node current' : 'tree-node'} aria-current={isCurrent ? 'true' : undefined}>
      <span class="tree-kind">{entry.kind}</span>{' '}
      <Link to={placeOfEntry(entry)}>
        <Text value={entry.type} />
      </Link>{' '}
      <ResultStatus entry={entry} />
      <div class="tree-detail">
        <Time value={entry.at} /> · <Actor entry={entry} />
        {entry.streamId !== null && (
          <>
            {' '}
            · stream <Id value={entry.streamId} to={['streams', entry.streamId]} />
          </>
        )}
        {origin !== null && (
          <>
            {' '}
            · from <Text value={origin.host} />{' '}
            <Status tone={origin.isProven ? 'ok' : 'warn'}>{origin.isProven ? 'proven' : 'claimed'}</Status>
          </>
        )}
        {traceId !== null && (
          <>
            {' '}
            · trace <TraceId value={traceId} />
          </>
        )}
      </div>
      {entry.reason !== null && (
        <div class="tree-reason">
          <Text value={entry.reason} />
        </div>
      )}
    </div>
  );
}
