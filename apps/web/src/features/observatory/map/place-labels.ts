/** A rectangle on the map, in pixels. */
export interface Box {
  readonly leftPx: number
  readonly topPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** Which labels there is room for: none covers a marker or another label; those first in the list win. */
export function placeLabels(labels: readonly Box[], markers: readonly Box[]): boolean[] {
  const taken: Box[] = [...markers]
  return labels.map((label) => {
    const isFree = !taken.some((box) => overlap(label, box))
    if (isFree) taken.push(label)
    return isFree
  })
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.leftPx < other.leftPx + other.widthPx &&
    other.leftPx < one.leftPx + one.widthPx &&
    one.topPx < other.topPx + other.heightPx &&
    other.topPx < one.topPx + one.heightPx
  )
}
