/** Formats cells as text columns: the first aligned left, the others right. */
export function textTable(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map((line) => line.length))
  const widths = Array.from({ length: columns }, (_, column) =>
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
