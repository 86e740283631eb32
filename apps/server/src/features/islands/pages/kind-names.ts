import type { IslandKind } from '@astropelago/contract/islands'

/** The names of the kinds on pages that the server draws. */
export const kindNames: Readonly<Record<IslandKind, string>> = {
  social: 'Social space',
  media: 'Media hub',
  lab: 'Creative lab',
}
