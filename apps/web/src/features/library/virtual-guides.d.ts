/** The guides of docs/guides (apps/web/bundle-guides.ts). */
declare module 'virtual:guides' {
  import type { GuideBlock, Shelf } from './guide.ts'

  export const shelves: readonly Shelf[]
  /** Fetches what a guide says, by its name. */
  export const loadGuide: Readonly<
    Record<string, () => Promise<{ readonly blocks: readonly GuideBlock[] }>>
  >
}
