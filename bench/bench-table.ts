import { type BenchRow, isHeld } from './bench-row.ts'

const headings = ['figure', 'measured', 'reference', 'ratio', 'budget', ''] as const

/** The rows as text, in columns as wide as they need. */
export function benchTable(rows: readonly BenchRow[]): string {
  const lines = [headings, ...rows.map(cells)]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(row: BenchRow): readonly string[] {
  const { name, value, unit, reference, atMost } = row
  return [
    name,
    `${shown(value)} ${unit}`,
    reference === undefined ? '' : `${shown(reference)} ${unit}`,
    reference === undefined || reference === 0 ? '' : shown(value / reference),
    atMost === undefined ? '' : `${shown(atMost)} ${unit}`,
    atMost === undefined ? '' : isHeld(row) ? 'held' : 'SHORT',
  ]
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : Number(value.toFixed(2)).toString()
}
