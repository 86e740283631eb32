import type { IslandKind } from './islands.ts'

/** The names of the kinds on screens. */
export const kindNames: Readonly<Record<IslandKind, string>> = {
  social: 'Social space',
  media: 'Media hub',
  lab: 'Creative lab',
}
