import { setImmediate as nextTurn } from 'node:timers/promises'

/** Reads each page while the caller works on the one before. An empty page is the end. */
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
    // A query is sent only some turns of the event loop after the call. The caller's work on the page
    // would delay it.
    await nextTurn()
    yield page
  }
}
