import type { Cursors } from './cluster-store.ts'
import type { Change } from './cluster.ts'

/** The cursors after these rows; undefined if rows in between are missing. */
export function cursorsAfter(cursors: Cursors, rows: readonly Change[]): Cursors | undefined {
  const after = new Map(cursors)
  for (const { writer, number } of rows) {
    if (number !== (after.get(writer) ?? 0) + 1) return undefined
    after.set(writer, number)
  }
  return after
}

/** JSON. */
export function fromCursors(cursors: Cursors): string {
  return JSON.stringify(Object.fromEntries(cursors))
}

export function toCursors(cursors: Readonly<Record<string, number>>): Cursors {
  return new Map(Object.entries(cursors).map(([writer, number]) => [Number(writer), number]))
}
