import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Reads rows by key, a page at a time, each page while the one before it is worked on.
 * @param lastKey undefined for a page without rows, which is the end
 */
export async function* pagesAhead<Page>(
  readAfter: (key: number) => Promise<Page>,
  lastKey: (page: Page) => number | undefined,
): AsyncGenerator<Page> {
  let next = readAfter(0)
  for (;;) {
    const page = await next
    const last = lastKey(page)
    if (last === undefined) return
    next = readAfter(last)
    // A query leaves some turns after it was asked: else whoever works on the page would hold it up.
    await nextTurn()
    yield page
  }
}
