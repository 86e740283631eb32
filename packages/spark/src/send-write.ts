interface Write {
  readonly url: string
  readonly init: RequestInit & { readonly body: string }
}

const underWay = new Set<Write>()
let isLeaving = false

/**
 * Sends a write that outlives its page: one that is still under way when the page goes away is sent once
 * more, in a way that lasts. Only then, since a browser lets all such requests of a page hold 64 KiB
 * together, and refuses what is more.
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

/** To be called once for a page. */
export function keepWritesAlive(page: Pick<EventTarget, 'addEventListener'>): void {
  page.addEventListener('pagehide', () => {
    isLeaving = true
    for (const { url, init } of underWay) {
      // In the order of the writes. Nobody is left to hear of what the browser refuses.
      fetch(url, { ...init, keepalive: true }).catch(() => undefined)
    }
  })
  // It may come back as it was.
  page.addEventListener('pageshow', () => {
    isLeaving = false
  })
}
