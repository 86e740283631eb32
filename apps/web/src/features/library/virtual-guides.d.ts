// Made by apps/web/bundle-guides.ts.
declare module 'virtual:guides' {
  import type { GuideBlock, GuideEntry } from '@astropelago/contract/guides'

  export const shelves: readonly {
    readonly title: string
    readonly guides: readonly GuideEntry[]
  }[]
  /** Fetches what a guide says, by its name. */
  export const loadGuide: Readonly<
    Record<string, () => Promise<{ readonly blocks: readonly GuideBlock[] }>>
  >
}
