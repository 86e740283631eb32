export interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

/** A rectangle on the screen, in CSS pixels. */
export interface Box extends Size {
  readonly leftPx: number
  readonly topPx: number
}

export function boxesOverlap(one: Box, other: Box): boolean {
  return (
    one.topPx < other.topPx + other.heightPx &&
    other.topPx < one.topPx + one.heightPx &&
    one.leftPx < other.leftPx + other.widthPx &&
    other.leftPx < one.leftPx + one.widthPx
  )
}

export function firstFree(wishes: readonly Box[], taken: readonly Box[]): Box | undefined {
  return wishes.find((wish) => !taken.some((box) => boxesOverlap(wish, box)))
}
