/** Heartbeats by token are 120 s apart. Ten of these seconds allow for a slow start of curl. */
const offsetsCount = 110

/** 0 to 109, the same for an id. FNV-1a distributes ids evenly; a sum of characters would not. */
export function heartbeatOffsetSeconds(deviceId: string): number {
  let hash = 0x811c9dc5
  for (const character of deviceId) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return (hash >>> 0) % offsetsCount
}
