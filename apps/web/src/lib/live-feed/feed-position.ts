/** A place in the feed's order, as FeedSequence writes it. */
export interface FeedPosition {
  readonly epoch: string
  readonly number: number
}

/** Reads a sequence, also as the list's ETag has it, weak or not; undefined for anything else. */
export function readPosition(text: string | null | undefined): FeedPosition | undefined {
  const [, epoch, digits] = /^(?:W\/)?"?([\w-]+)-(\d{1,15})"?$/.exec(text ?? '') ?? []
  return epoch === undefined ? undefined : { epoch, number: Number(digits) }
}

export function sequenceAt({ epoch, number }: FeedPosition): string {
  return `${epoch}-${number}`
}

/** Whether one has all that the other has. Positions of two epochs can't be compared. */
export function isUpTo(position: FeedPosition, other: FeedPosition): boolean {
  return position.epoch === other.epoch && position.number >= other.number
}
