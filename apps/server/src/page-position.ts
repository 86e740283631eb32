/** Where the next page of a list by time, newest first, begins: after this time and id. */
export interface PagePosition {
  readonly atMs: number
  /** Tells apart several items at one time. Empty for items that were all earlier. */
  readonly id: string
}

export const newestPosition: PagePosition = { atMs: Number.MAX_SAFE_INTEGER, id: '' }

const written = /^(\d{1,16})\.([\w-]{1,36})$/

export function writePosition({ atMs, id }: PagePosition): string {
  return `${atMs}.${id}`
}

/** The start if there is no cursor; undefined if the cursor is not ours. */
export function readPosition(text: string | undefined): PagePosition | undefined {
  if (text === undefined) return newestPosition
  const [, atMs, id] = written.exec(text) ?? []
  return atMs === undefined || id === undefined ? undefined : { atMs: Number(atMs), id }
}

/** Cuts a list that was read to one item more. `last` is the last item shown if there are more. */
export function cutPage<Item>(items: readonly Item[], length: number) {
  const shown = items.slice(0, length)
  return { shown, last: items.length > length ? shown.at(-1) : undefined }
}
