/**
 * Bounds an LRUCache by a number of entries. Its own `max` takes memory for all of them at once: the
 * server's caches together cost 15 ms of processor at start that way.
 */
export function atMostEntries(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
