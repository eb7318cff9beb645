/** FNV-1a of 64 bits: short and portable. It does not resist deliberate collisions. */
export function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const char of text) hash = ((hash ^ BigInt(char.codePointAt(0)!)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
