import { kindNames } from '@astropelago/contract/island-names'
import type { AccessPolicy, IslandCard, IslandKind } from '@astropelago/contract/islands'

interface Words {
  readonly name: string
  readonly about: string
}

export const kindWords: Readonly<Record<IslandKind, Words & { readonly plural: string }>> = {
  social: {
    name: kindNames.social,
    plural: 'Social spaces',
    about: 'A place to meet: a chat room, a game night, a bar where somebody is always up.',
  },
  media: {
    name: kindNames.media,
    plural: 'Media hubs',
    about: 'Something to see or hear: music, film evenings, photo walls, shelves of files.',
  },
  lab: {
    name: kindNames.lab,
    plural: 'Creative labs',
    about: 'Something in the making: a blog, a small app, an experiment built in the open.',
  },
}

export const accessWords: Readonly<Record<AccessPolicy, Words>> = {
  public: { name: 'For everybody', about: 'Anybody may enter, signed in or not.' },
  members: { name: 'For Navigators', about: 'Everybody who is signed in may enter.' },
  invited: { name: 'For members', about: 'Only people that its host let in may enter.' },
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
  open: { name: 'Open', about: 'The device that it runs on is online.' },
  unwatched: {
    name: 'Open, not watched',
    about: 'It has a link, but no device reports whether it is open.',
  },
  paused: { name: 'Paused', about: 'Its host lets nobody in for now.' },
  closed: { name: 'Closed', about: 'The device that it runs on is offline.' },
  unbuilt: { name: 'Not there yet', about: 'Its host has not given it an address.' },
}
