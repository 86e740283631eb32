// Made by apps/web/bundle-guides.ts; the types are those of guide.ts, which can't be imported here.
declare module 'virtual:guides' {
  export const shelves: readonly {
    readonly title: string
    readonly guides: readonly {
      readonly name: string
      readonly title: string
      readonly summary: string
    }[]
  }[]
  /** Fetches what a guide says, by its name. */
  export const loadGuide: Readonly<
    Record<
      string,
      () => Promise<{
        readonly blocks: readonly (
          | { readonly kind: 'text'; readonly html: string }
          | {
              readonly kind: 'code'
              readonly language: string
              readonly label: string
              readonly text: string
            }
        )[]
      }>
    >
  >
}
