import { StatusBadge } from '../../../ui/status-badge.tsx'
import { findNode } from '../nodes/find-node.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import { nodeName } from './marker-scene.ts'
import { statusWord } from './status-word.ts'

interface SpotListProps {
  readonly columns: NodeColumns
  readonly ids: readonly string[]
  readonly total: number
  readonly onChoose: (id: string) => void
}

/** The nodes that share a place, as far as there is room for them. */
export function SpotList({ columns, ids, total, onChoose }: SpotListProps) {
  const nodes = ids.flatMap((id) => {
    const index = findNode(columns, id)
    return index === undefined ? [] : [{ id, index }]
  })
  const more = total - ids.length
  return (
    <>
      <ul className="min-h-0 overflow-y-auto p-1">
        {nodes.map(({ id, index }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => onChoose(id)}
              className="flex w-full items-center gap-3 rounded-mark px-2 py-1.5 text-left text-sm text-ink hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {nodeName(columns, index)}
              </span>
              <StatusBadge status={statusWord(columns.status[index])} />
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p data-numeric className="border-t border-line px-3 py-2 text-xs text-muted">
          and {more.toLocaleString('en')} more: the list below has all of them
        </p>
      )}
    </>
  )
}
