interface RowSpace {
  readonly count: number
  /** How many rows are in view at once. */
  readonly pageSize: number
}

/** The row that a key leads to; undefined for a key that leads nowhere. */
export function nextRow(key: string, current: number, space: RowSpace): number | undefined {
  const target = targetOf(key, current, space)
  return target === undefined ? undefined : Math.max(0, Math.min(space.count - 1, target))
}

function targetOf(key: string, current: number, { count, pageSize }: RowSpace) {
  switch (key) {
    case 'ArrowDown':
      return current + 1
    case 'ArrowUp':
      return current - 1
    case 'PageDown':
      return current + pageSize
    case 'PageUp':
      return current - pageSize
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
