interface Write {
  readonly url: string
  readonly init: RequestInit & { readonly body: string }
}

const underWay = new Set<Write>()
let isLeaving = false

/**
 * Sends a write that survives the page: a request still pending when the page is hidden is sent again with
 * `keepalive`. Not every write uses `keepalive`, because browsers limit all such requests of a page to 64
 * KiB in total and reject the rest.
 */
export async function sendWrite(url: string, init: Write['init']): Promise<Response> {
  const write = { url, init }
  underWay.add(write)
  try {
    return await fetch(url, { ...init, keepalive: isLeaving })
  } finally {
    underWay.delete(write)
  }
}

/** Call once per page. */
export function keepWritesAlive(page: Pick<EventTarget, 'addEventListener'>): void {
  page.addEventListener('pagehide', () => {
    isLeaving = true
    for (const { url, init } of underWay) {
      // In the order of the writes. Nobody is left to handle a rejection.
      fetch(url, { ...init, keepalive: true }).catch(() => undefined)
    }
  })
  // The browser may restore the page from its back/forward cache.
  page.addEventListener('pageshow', () => {
    isLeaving = false
  })
}
