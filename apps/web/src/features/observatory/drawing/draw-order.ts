const highestStatus = 2

/**
 * The nodes' indexes in drawing order: other, offline, online, so that online nodes are on top. A status
 * change moves a node across one or two borders by swapping. A thousand changes among 100,000 nodes take
 * 0.1 ms, while sorting takes 1 ms.
 */
export function createDrawOrder(first: Uint8Array) {
  const statusOf = first.slice()
  const indexes = new Uint32Array(statusOf.length)
  /** The position of each node in `indexes`. */
  const ranks = new Uint32Array(statusOf.length)
  /** The position where each status begins. */
  const begins = new Uint32Array(highestStatus + 1)
  fill()

  // By index, here and in the node store: an iterator is ten times slower until the loop is compiled.
  function fill() {
    for (let index = 0; index < statusOf.length; index++) {
      const status = statusOf[index] ?? 0
      for (let later = status + 1; later <= highestStatus; later++)
        begins[later] = beginOf(later) + 1
    }
    const next = Uint32Array.from(begins)
    for (let index = 0; index < statusOf.length; index++) {
      const status = statusOf[index] ?? 0
      const rank = next[status] ?? 0
      next[status] = rank + 1
      indexes[rank] = index
      ranks[index] = rank
    }
  }

  function beginOf(status: number): number {
    return begins[status] ?? 0
  }

  return {
    indexes,
    /** Reorders the changed nodes. `statuses` has the new status of every node. */
    // One loop without calls. The engine compiles it while it runs; calls would stay interpreted.
    follow(changed: Uint32Array, statuses: Uint8Array) {
      for (let i = 0; i < changed.length; i++) {
        const index = changed[i] ?? 0
        const status = statuses[index]
        let from = statusOf[index]
        if (from === undefined || status === undefined || from === status) continue
        statusOf[index] = status
        let rank = ranks[index] ?? 0
        const step = from < status ? 1 : -1
        while (from !== status) {
          // Upwards the node becomes the first of the next status, downwards the last of the previous
          // one.
          const border = step === 1 ? from + 1 : from
          const begin = begins[border] ?? 0
          const there = step === 1 ? begin - 1 : begin
          begins[border] = step === 1 ? begin - 1 : begin + 1
          const other = indexes[there] ?? 0
          indexes[rank] = other
          ranks[other] = rank
          indexes[there] = index
          rank = there
          from += step
        }
        ranks[index] = rank
      }
    },
  }
}
