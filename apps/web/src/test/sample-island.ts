import type { OwnIsland } from '@astropelago/contract/islands'

/** A published island as its host sees it, for tests that do not care what exactly it is. */
export function sampleOwnIsland(details: Partial<OwnIsland> = {}): OwnIsland {
  return {
    id: crypto.randomUUID(),
    slug: 'harbour-books',
    name: 'Harbour Books',
    kind: 'media',
    tagline: 'Paperbacks by the sea',
    door: 'public',
    host: 'Nav-11aa22bb',
    isOpen: true,
    isWatched: false,
    since: null,
    deviceId: null,
    publishedAt: '2026-01-02T03:04:05.000Z',
    about: '',
    isListed: true,
    address: 'https://books.example/',
    carrier: null,
    neighbours: [],
    oldSlugs: [],
    createdAt: '2026-01-02T03:00:00.000Z',
    memberCount: 0,
    requestCount: 0,
    noteCount: 0,
    hidden: null,
    ...details,
  }
}

/** One that nobody else may know of yet: its address ends in six random characters. */
export function sampleDraft(details: Partial<OwnIsland> = {}): OwnIsland {
  return sampleOwnIsland({
    slug: 'harbour-books-x7k2p9',
    door: 'invited',
    isListed: false,
    publishedAt: null,
    isOpen: false,
    address: null,
    ...details,
  })
}
