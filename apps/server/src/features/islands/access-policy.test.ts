import { describe, expect, test } from 'vitest'
import {
  isInDirectory,
  mayEnter,
  mayEverybodyKnow,
  mayJoin,
  mayKnow,
  mayKnowMembers,
  mayNote,
  roleOf,
  signedOutViewer,
  type AccessFacts,
  type Viewer,
} from './access-policy.ts'

const island: AccessFacts = {
  hostKey: 1,
  hostDisabledMs: null,
  access: 'public',
  isListed: false,
  publishedMs: 5,
  hiddenMs: null,
}
const guest: Viewer = { ...signedOutViewer, userKey: 2 }

/** Every kind of viewer. */
const viewers = {
  host: { ...guest, userKey: 1 },
  member: { ...guest, isMember: true },
  asked: { ...guest, hasAsked: true },
  guest,
  blocked: { ...guest, isBlocked: true, isMember: true, hasAsked: true },
  signedOut: signedOutViewer,
}

function viewersWho(may: (viewer: Viewer) => boolean): string[] {
  return Object.entries(viewers).flatMap(([name, viewer]) => (may(viewer) ? [name] : []))
}

const everybody = Object.keys(viewers)
const signedIn = ['host', 'member', 'asked', 'guest']

describe('who may know of an island, and enter it', () => {
  test.each([
    ['a public door', {}, everybody, everybody],
    ['a public door, listed', { isListed: true }, everybody, everybody],
    ['members', { access: 'members' }, signedIn, signedIn],
    ['members, listed', { access: 'members', isListed: true }, everybody, signedIn],
    ['invited', { access: 'invited' }, ['host', 'member'], ['host', 'member']],
    ['invited, listed', { access: 'invited', isListed: true }, everybody, ['host', 'member']],
    ['a draft', { publishedMs: null }, ['host'], ['host']],
    ['a draft that is listed', { publishedMs: null, isListed: true }, ['host'], ['host']],
    ['hidden by an operator', { hiddenMs: 9, isListed: true }, ['host'], ['host']],
    ['of a host who is turned off', { hostDisabledMs: 9, isListed: true }, ['host'], ['host']],
  ] as const)('S54 %s', (_, facts, know, enter) => {
    const its = { ...island, ...facts }
    expect(viewersWho((viewer) => mayKnow(its, viewer))).toEqual(know)
    expect(viewersWho((viewer) => mayEnter(its, viewer))).toEqual(enter)
    expect(mayEverybodyKnow(its)).toBe(know.length === everybody.length)
  })
})

test('S54 an island treats a blocked user as a stranger', () => {
  for (const access of ['public', 'members', 'invited'] as const) {
    for (const isListed of [true, false]) {
      const its = { ...island, access, isListed }
      const as = (viewer: Viewer) => [
        mayKnow(its, viewer),
        mayEnter(its, viewer),
        mayKnowMembers(its, viewer),
        mayJoin(its, viewer),
        mayNote(its, viewer),
        roleOf(its, viewer),
      ]
      expect(as(viewers.blocked)).toEqual(as(signedOutViewer))
    }
  }
})

test('the names of members are for them and the host', () => {
  expect(viewersWho((viewer) => mayKnowMembers(island, viewer))).toEqual(['host', 'member'])
  const hidden = { ...island, hiddenMs: 9 }
  expect(viewersWho((viewer) => mayKnowMembers(hidden, viewer))).toEqual(['host'])
})

test('guests may join or ask, of what they may know of', () => {
  expect(viewersWho((viewer) => mayJoin(island, viewer))).toEqual(['guest'])
  const invited = { ...island, access: 'invited' } as const
  expect(viewersWho((viewer) => mayJoin(invited, viewer))).toEqual([])
  expect(viewersWho((viewer) => mayJoin({ ...invited, isListed: true }, viewer))).toEqual(['guest'])
})

test('signed-in users who may enter may leave a note, except the host', () => {
  expect(viewersWho((viewer) => mayNote(island, viewer))).toEqual(['member', 'asked', 'guest'])
  const invited = { ...island, access: 'invited', isListed: true } as const
  expect(viewersWho((viewer) => mayNote(invited, viewer))).toEqual(['member'])
})

test('an island of the installation has no host, be it for who is not signed in', () => {
  const lounge = { ...island, hostKey: null, publishedMs: null }
  expect(viewersWho((viewer) => mayKnow(lounge, viewer))).toEqual([])
  expect(roleOf(lounge, signedOutViewer)).toBe('visitor')
})

test('listed ones are in the directory, whatever their door, while they are shown', () => {
  const listed = { ...island, access: 'invited', isListed: true } as const
  expect(isInDirectory(listed)).toBe(true)
  expect(isInDirectory({ ...listed, isListed: false, access: 'public' })).toBe(false)
  for (const facts of [{ publishedMs: null }, { hiddenMs: 9 }, { hostDisabledMs: 9 }]) {
    expect(isInDirectory({ ...listed, ...facts })).toBe(false)
  }
})
