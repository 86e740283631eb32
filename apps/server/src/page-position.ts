/** Where a page of a list by time, the newest first, goes on: after what happened then, of this id. */
export interface PagePosition {
  readonly atMs: number
  /** Of several at the same time; empty for whatever was earlier. */
  readonly id: string
}

/** Before this everything was. */
export const newestPosition: PagePosition = { atMs: Number.MAX_SAFE_INTEGER, id: '' }

const written = /^(\d{1,16})\.([\w-]{1,36})$/

/** As it is handed out and comes back. */
export function writePosition({ atMs, id }: PagePosition): string {
  return `${atMs}.${id}`
}

/** The start where there is none; undefined where it is none of ours. */
export function readPosition(text: string | undefined): PagePosition | undefined {
  if (text === undefined) return newestPosition
  const [, atMs, id] = written.exec(text) ?? []
  return atMs === undefined || id === undefined ? undefined : { atMs: Number(atMs), id }
}
