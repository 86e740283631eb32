import { StatusBadge } from '../../../ui/status-badge.tsx'
import type { NodeStore } from '../nodes/node-store.ts'
import { useNodeCounts } from '../nodes/use-node-store.ts'

/** How many devices have each status, and what each one's mark looks like. */
export function StatusCounts({ store, isKnown }: { store: NodeStore; isKnown: boolean }) {
  const { online, offline, other } = useNodeCounts(store)
  const counts = [
    ['online', online],
    ['offline', offline],
    ['unknown', other],
  ] as const
  return (
    // Columns of one width, whatever the numbers: nothing moves when they come or grow.
    <dl data-numeric className="grid w-full grid-cols-3 sm:w-auto sm:grid-cols-[repeat(3,8rem)]">
      {counts.map(([status, count]) => (
        <div key={status} className="flex flex-col-reverse">
          <dt>
            <StatusBadge status={status} />
          </dt>
          <dd className="font-display text-title font-semibold text-ink">
            {isKnown ? count.toLocaleString('en') : '–'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
