/** A part of a perspective's models, which one host processes while other hosts process the others. The hash of a model's id decides. */
export interface Segment {
  /** From 0. */
  readonly index: number;
  /** How many there are. */
  readonly of: number;
}

/** Whether a model belongs to a segment. */
export function isOfSegment(id: string, { index, of }: Segment): boolean {
  return hashOf(id) % of === index;
}

/** All segments of tables. */
export function segmentsOf(of: number): readonly Segment[] {
  return Array.from({ length: of }, (_, index) => ({ index, of }));
}

/**
 * FNV-1a of 32 bits over the code units, with its upper bits folded into the lower ones. Hosts of all versions must agree on it as long as any
 * perspective is divided.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
