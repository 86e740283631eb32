import { FeedMark } from '../../../lib/live-feed/feed-mark.tsx'
import type { NodeSource } from '../nodes/node-source.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { useSourceState } from '../nodes/use-source-state.ts'
import { ChangeLine } from './change-line.tsx'
import { LoadLine } from './load-line.tsx'
import { StatusCounts } from './status-counts.tsx'

interface ObservatoryStatusProps {
  store: NodeStore
  source: NodeSource
}

/** The network in numbers, what changes, and how the loading goes. */
export function ObservatoryStatus({ store, source }: ObservatoryStatusProps) {
  const isKnown = useSourceState(source).size !== undefined
  return (
    <section
      aria-label="Status of the network"
      className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3"
    >
      <StatusCounts store={store} isKnown={isKnown} />
      {/* As tall as its texts are, with or without one: what stands below keeps its place. */}
      <div className="flex min-h-11 w-full flex-wrap items-baseline gap-x-6 md:min-h-6 md:w-auto">
        <LoadLine source={source} />
        <ChangeLine source={source} />
        <FeedMark />
      </div>
    </section>
  )
}
