import { Plural } from '@lingui/react/macro'
import type { ComponentProps, ReactNode } from 'react'
import { keyboardScrollable } from './keyboard-scrollable.ts'
import { Table } from './table.tsx'

interface ImportLinesProps<Line> extends Omit<ComponentProps<typeof Table>, 'children'> {
  lines: readonly Line[]
  shownMax: number
  children: (line: Line, at: number) => ReactNode
}

/** What becomes of the lines of a file, the first of them as a table. */
export function ImportLines<Line>(props: ImportLinesProps<Line>) {
  const { lines, shownMax, children, ...table } = props
  const more = lines.length - shownMax
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div {...keyboardScrollable} className="max-h-96 overflow-y-auto border-y border-line">
        <Table {...table}>{lines.slice(0, shownMax).map(children)}</Table>
      </div>
      {more > 0 && (
        <p className="text-xs text-muted">
          <Plural value={more} one="and # more line" other="and # more lines" />
        </p>
      )}
    </div>
  )
}
