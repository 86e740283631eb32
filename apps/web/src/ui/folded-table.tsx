import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import ChevronRight from 'virtual:icon/chevron-right'

interface FoldedTableProps {
  /** What the marks of the drawing above mean. */
  legend: string
  meanings: readonly { readonly id?: string; readonly mark: string; readonly name: ReactNode }[]
  /** Draws the table once it is wanted. */
  children: () => ReactNode
}

/** Below a drawing: its legend, and its figures as a table on request. */
export function FoldedTable({ legend, meanings, children }: FoldedTableProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <ul aria-label={legend} className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted">
          {meanings.map(({ mark, id = mark, name }) => (
            <li key={id} className="flex items-center gap-1.5">
              <span aria-hidden className={mark} />
              {name}
            </li>
          ))}
        </ul>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex h-9 items-center gap-1.5 rounded-mark text-xs font-medium text-muted transition-colors hover:text-ink"
        >
          <ChevronRight
            aria-hidden
            className={`size-4 transition-transform duration-150 ${isOpen ? 'rotate-90' : ''}`}
          />
          <Trans>As a table</Trans>
        </button>
      </div>
      {isOpen && <div className="max-h-96 overflow-y-auto">{children()}</div>}
    </div>
  )
}
