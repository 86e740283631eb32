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
    <dl data-numeric className="grid w-full grid-cols-3 gap-x-4 sm:flex sm:w-auto sm:gap-x-8">
      {counts.map(([status, count]) => (
        <div key={status} className="flex flex-col gap-x-2 sm:flex-row sm:items-baseline">
          <dt>
            <StatusBadge status={status} />
          </dt>
          <dd className="pl-5 text-sm font-medium text-ink sm:pl-0">
            {isKnown ? count.toLocaleString('en') : '–'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
