import type { IslandFacts } from '../public/public-islands-store.ts'

/** A published island for everybody, carried by a private device. */
export function islandFacts(changes: Partial<IslandFacts> = {}): IslandFacts {
  return {
    key: 1,
    id: 'island',
    slug: 'harbor',
    name: 'Harbor',
    kind: 'social',
    picture: 7,
    tagline: '',
    access: 'public',
    isListed: false,
    isShared: false,
    hostKey: 3,
    hostName: 'Ada',
    hostDisabledMs: null,
    publishedMs: 5,
    hiddenMs: null,
    knownSince: { membersMs: null, usersMs: null, everybodyMs: null },
    hasAddress: true,
    hasRules: false,
    domain: null,
    isRelayed: false,
    isHosted: false,
    pages: null,
    relayStop: null,
    isHostTrusted: false,
    relayOpening: null,
    check: null,
    pause: null,
    carrier: { key: 7, id: 'device', isPublic: false, isShared: false, flip: null },
    neighbourKeys: [],
    ...changes,
  }
}
