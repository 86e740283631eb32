import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { keyboardScrollable } from './keyboard-scrollable.ts'

interface TableProps {
  caption: string
  columns: readonly {
    readonly name: string
    readonly numeric?: boolean
    readonly hidden?: boolean
  }[]
  children: ReactNode
}

export function Table({ caption, columns, children }: TableProps) {
  return (
    // It has no name of its own: the table in it has one, and often the section around it has the same.
    <div {...keyboardScrollable} className="relative overflow-x-auto">
      <table data-numeric className="w-full border-collapse text-start text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line-strong">
            {columns.map(({ name, numeric, hidden }) => (
              <th
                key={name}
                scope="col"
                className={classNames(
                  'px-3 py-2.5 text-xs font-medium whitespace-nowrap text-muted first:ps-0 last:pe-0',
                  numeric && 'text-end',
                )}
              >
                {hidden ? <span className="sr-only">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

export function TableRow(props: ComponentProps<'tr'>) {
  return <tr {...props} className="border-b border-line transition-colors last:border-0" />
}

interface TableCellProps extends ComponentProps<'td'> {
  numeric?: boolean
}

export function TableCell({ numeric = false, className, ...rest }: TableCellProps) {
  return (
    <td
      {...rest}
      className={classNames(
        'px-3 py-3 align-middle text-ink first:ps-0 last:pe-0',
        numeric && 'text-end whitespace-nowrap',
        className,
      )}
    />
  )
}
