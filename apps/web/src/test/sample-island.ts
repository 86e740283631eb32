import type { IslandCard, IslandView, OwnIsland } from '@astropelago/contract/islands'

/** A listed public island, for tests that do not depend on the details. */
export function sampleIsland(details: Partial<IslandCard> = {}): IslandCard {
  return {
    id: crypto.randomUUID(),
    slug: 'harbour-tales',
    name: 'Harbour Tales',
    kind: 'social',
    picture: 7,
    tagline: 'Stories by those who have been out there.',
    access: 'public',
    host: 'Mira',
    isOpen: true,
    pause: null,
    isWatched: true,
    since: '2026-01-02T03:04:05.000Z',
    deviceId: null,
    publishedAt: '2026-01-02T03:04:05.000Z',
    ...details,
  }
}

/** A public, open island as seen by a signed-in user who has not joined. */
export function sampleView(details: Partial<IslandView> = {}): IslandView {
  return {
    ...sampleIsland({
      id: 'harbor',
      slug: 'harbor-light',
      name: 'Harbor Light',
      tagline: 'Tea, maps and quiet music',
      host: 'Keeper',
      since: '2025-01-02T03:04:00.000Z',
      publishedAt: '2025-01-01T00:00:00.000Z',
    }),
    hostAvatar: null,
    about: '',
    rules: '',
    rulesChangedAt: null,
    isListed: true,
    memberCount: 0,
    role: 'guest',
    mayEnter: true,
    address: 'https://play.example/lounge',
    isRelayed: false,
    isHosted: false,
    mayJoin: true,
    mayNote: true,
    neighbours: [],
    hidden: null,
    relayStopped: null,
    ...details,
  }
}

/** A published island as its host sees it. */
export function sampleOwnIsland(details: Partial<OwnIsland> = {}): OwnIsland {
  return {
    ...sampleIsland({
      slug: 'harbour-books',
      name: 'Harbour Books',
      kind: 'media',
      tagline: 'Paperbacks by the sea',
      host: 'Nav-11aa22bb',
      isWatched: false,
      since: null,
    }),
    about: '',
    rules: '',
    rulesChangedAt: null,
    isListed: true,
    isShared: false,
    address: 'https://books.example/',
    isRelayed: false,
    isHosted: false,
    relayAddress: null,
    carrier: null,
    neighbours: [],
    oldSlugs: [],
    createdAt: '2026-01-02T03:00:00.000Z',
    memberCount: 0,
    requestCount: 0,
    noteCount: 0,
    hidden: null,
    relayStopped: null,
    ...details,
  }
}

/** An unpublished island, visible only to its host. Its address ends in six random characters. */
export function sampleDraft(details: Partial<OwnIsland> = {}): OwnIsland {
  return sampleOwnIsland({
    slug: 'harbour-books-x7k2p9',
    access: 'invited',
    isListed: false,
    publishedAt: null,
    isOpen: false,
    address: null,
    ...details,
  })
}
