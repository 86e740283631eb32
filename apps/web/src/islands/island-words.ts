import type { AccessPolicy, IslandCard, IslandKind } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'

interface Words {
  readonly name: string
  readonly about: string
}

export const kindWords: Readonly<Record<IslandKind, Words & { readonly plural: string }>> = {
  social: {
    name: t`Social space`,
    plural: t`Social spaces`,
    about: t`A place to meet: a chat room, a game night, a bar where somebody is always up.`,
  },
  media: {
    name: t`Media hub`,
    plural: t`Media hubs`,
    about: t`Something to see or hear: music, film evenings, photo walls, shelves of files.`,
  },
  lab: {
    name: t`Creative lab`,
    plural: t`Creative labs`,
    about: t`Something in the making: a blog, a small app, an experiment built in the open.`,
  },
}

export const accessWords: Readonly<Record<AccessPolicy, Words>> = {
  public: { name: t`For everybody`, about: t`Anybody may enter, signed in or not.` },
  members: { name: t`For Navigators`, about: t`Everybody who is signed in may enter.` },
  invited: { name: t`For members`, about: t`Only people that its host let in may enter.` },
}

/** Whether an island can be entered now, as far as the server knows. */
export type IslandState = 'open' | 'unwatched' | 'paused' | 'closed' | 'unbuilt'

export function islandState({
  isOpen,
  isWatched,
  pause,
}: Pick<IslandCard, 'isOpen' | 'isWatched' | 'pause'>): IslandState {
  if (pause !== null) return 'paused'
  if (isOpen) return isWatched ? 'open' : 'unwatched'
  return isWatched ? 'closed' : 'unbuilt'
}

export const stateWords: Readonly<Record<IslandState, Words>> = {
  open: { name: t`Open`, about: t`Visitors can enter now.` },
  unwatched: {
    name: t`Open, not watched`,
    about: t`It has a link, but no device reports whether it is open.`,
  },
  paused: { name: t`Paused`, about: t`Its host lets nobody in for now.` },
  closed: { name: t`Closed`, about: t`Nobody can enter for now.` },
  unbuilt: { name: t`Not there yet`, about: t`Its host has not given it an address.` },
}
