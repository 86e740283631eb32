import type { ImportAction, ImportReport } from '@astropelago/contract/devices-csv'
import CircleAlert from 'virtual:icon/circle-alert'
import Equal from 'virtual:icon/equal'
import Pencil from 'virtual:icon/pencil'
import Plus from 'virtual:icon/plus'
import { keyboardScrollable } from '../../ui/keyboard-scrollable.ts'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'

const shownLines = 100
const columns = [{ name: 'Line', numeric: true }, { name: 'Device' }, { name: 'What happens' }]

const actions = {
  create: { text: 'New', Icon: Plus },
  update: { text: 'Changed', Icon: Pencil },
  unchanged: { text: 'As it is', Icon: Equal },
  error: { text: 'Can’t be used', Icon: CircleAlert },
} as const satisfies Record<ImportAction, unknown>

/** What each line of a file would do. If the file has errors, only the lines with errors are shown. */
export function ImportPreview({ report }: { report: ImportReport }) {
  const lines =
    report.failed > 0 ? report.lines.filter(({ action }) => action === 'error') : report.lines
  const more = lines.length - shownLines
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div {...keyboardScrollable} className="max-h-72 overflow-y-auto border-y border-line">
        <Table caption="Lines of the file" columns={columns}>
          {lines.slice(0, shownLines).map(({ line, label, action }) => {
            const { text, Icon } = actions[action]
            const errors = report.errors.filter((error) => error.line === line)
            return (
              <TableRow key={line}>
                <TableCell numeric className="w-12 align-top text-muted">
                  {line}
                </TableCell>
                <TableCell className="min-w-28 align-top">
                  {label === '' ? (
                    <span className="text-muted">without a label</span>
                  ) : (
                    <bdi className="wrap-anywhere">{label}</bdi>
                  )}
                </TableCell>
                <TableCell className="align-top">
                  <span className="flex items-center gap-2 whitespace-nowrap">
                    <Icon
                      aria-hidden
                      className={action === 'error' ? 'size-4 text-danger' : 'size-4 text-muted'}
                    />
                    {text}
                  </span>
                  {errors.length > 0 && (
                    <ul className="flex flex-col gap-0.5 pt-1 text-xs text-danger">
                      {errors.map(({ column, message }) => (
                        <li key={`${column} ${message}`} className="wrap-anywhere">
                          {column !== null && <code className="font-mono">{column}: </code>}
                          {message}
                        </li>
                      ))}
                    </ul>
                  )}
                </TableCell>
              </TableRow>
            )
          })}
        </Table>
      </div>
      {more > 0 && (
        <p className="text-xs text-muted">
          and {more} more {more === 1 ? 'line' : 'lines'}
        </p>
      )}
    </div>
  )
}
