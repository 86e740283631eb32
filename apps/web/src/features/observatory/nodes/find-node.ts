import type { NodeColumns, TextColumn } from './node-columns.ts'

/** The index of the node with this id. A search through the ids' text: about 1 ms among 100,000. */
export function findNode({ ids }: NodeColumns, id: string): number | undefined {
  if (id === '') return undefined
  for (let at = ids.text.indexOf(id); at !== -1; at = ids.text.indexOf(id, at + 1)) {
    const index = ownerOf(ids, at)
    // Where two ids meet, a third can seem to stand.
    const start = index === 0 ? 0 : ids.ends[index - 1]
    if (start === at && ids.ends[index] === at + id.length) return index
  }
  return undefined
}

/** The node whose text holds the character at this position. */
export function ownerOf({ ends }: TextColumn, position: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ends[middle] ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}
