/** What a guide says, from top to bottom. */
export type GuideBlock =
  /** Made of Markdown of this repository while the app is built. */
  | { readonly kind: 'text'; readonly html: string }
  /** To be pasted elsewhere; the label says where. */
  | {
      readonly kind: 'code'
      readonly language: string
      readonly label: string
      readonly text: string
    }

/** What the Library lists of a guide. */
export interface GuideEntry {
  /** In its address. */
  readonly name: string
  readonly title: string
  readonly summary: string
}

export interface Shelf {
  readonly title: string
  readonly guides: readonly GuideEntry[]
}
