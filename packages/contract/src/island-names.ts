import type { IslandKind } from './islands.ts'

/** What people read for the kind of an island. */
export const kindNames: Readonly<Record<IslandKind, string>> = {
  social: 'Social space',
  media: 'Media hub',
  lab: 'Creative lab',
}
