interface Page {
  readonly network: string
  readonly unreadBytes: () => number
}

/**
 * Which pages have to go so that no more than `maxBytes` wait for all: first those of the networks for which
 * the most waits.
 */
export function beyondUnread<P extends Page>(pages: Iterable<P>, maxBytes: number): readonly P[] {
  const waiting = [...pages].map((page) => ({ page, bytes: page.unreadBytes() }))
  const ofNetworks = new Map<string, number>()
  let sum = 0
  for (const { page, bytes } of waiting) {
    sum += bytes
    ofNetworks.set(page.network, (ofNetworks.get(page.network) ?? 0) + bytes)
  }
  if (sum <= maxBytes) return []
  const ofNetwork = ({ page }: { readonly page: P }) => ofNetworks.get(page.network) ?? 0
  const gone: P[] = []
  for (const one of waiting.toSorted((a, b) => ofNetwork(b) - ofNetwork(a) || b.bytes - a.bytes)) {
    if (sum <= maxBytes) break
    sum -= one.bytes
    gone.push(one.page)
  }
  return gone
}

/** Whose place a page of `network` may take: the newest of the network that has the most. */
export function whoMakesRoom<P extends Pick<Page, 'network'>>(
  pages: Iterable<P>,
  network: string,
): P | undefined {
  const byNetwork = Map.groupBy(pages, (page) => page.network)
  const own = byNetwork.get(network)?.length ?? 0
  const [most = []] = [...byNetwork.values()].toSorted((a, b) => b.length - a.length)
  return most.length > own + 1 ? most.at(-1) : undefined
}
