/** Control characters that a terminal would obey, even those that the API never accepts. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Null is printed as a dash. */
type Cell = string | number | null

/** Rows below their headings, in columns as wide as needed. Cells can't control the terminal. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows].map((cells) =>
    cells.map((cell) => String(cell ?? '–').replaceAll(control, '�')),
  )
  const widths = headings.map((_, at) => Math.max(...lines.map((cells) => width(cells[at] ?? ''))))
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - width(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function list<Item>(
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => Cell>>,
  more?: string | false,
): string {
  if (items.length === 0) return 'There are none.'
  const cells = items.map((item) => Object.values(columns).map((cellOf) => cellOf(item)))
  const lines = table(Object.keys(columns), cells)
  return more ? `${lines}\n\nThere are more. To see them, add ${more}` : lines
}

export function fieldList(fields: Readonly<Record<string, Cell>>): string {
  return table(['', ''], Object.entries(fields)).slice(1)
}

/** A time that people can compare: `2030-01-31 14:05`, in UTC; a dash if there is none. */
export function printTime(iso: string | null): string {
  return iso === null ? '–' : iso.slice(0, 16).replace('T', ' ')
}

export function printUtc(iso: string | null): string {
  return iso === null ? '–' : `${printTime(iso)} UTC`
}

export function count(number: number, one: string): string {
  return `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`
}

function width(cell: string): number {
  return Array.from(cell).length
}
