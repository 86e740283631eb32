import { expect, test } from 'vitest'
import type { RelayedIsland } from '../relayed-islands.ts'
import { carriedIslands } from './carried-islands.ts'

const island: RelayedIsland = {
  key: 1,
  id: 'one',
  slug: 'harbor-light',
  name: 'Harbor Light',
  hostKey: 1,
  hostName: 'keeper',
  carrierKey: 1,
  mayAnybodyEnter: true,
  mayAnybodyKnow: true,
  isStopped: false,
  isHostTrusted: false,
  hasRules: false,
  pause: null,
  opening: { isOpen: false, sinceMs: null },
}

test('an island of which this server hears a moment after its agent came is carried', async () => {
  let known: readonly RelayedIsland[] = []
  const carried = carriedIslands({ carriedBy: () => known }, 1, 'Harbor-Light')
  known = [{ ...island, slug: 'another' }, island]
  expect(await carried).toEqual([island])
})

test('an island is named by its id too, which no new slug changes', async () => {
  const carriedBy = () => [{ ...island, id: 'two', slug: 'another' }, island]
  expect(await carriedIslands({ carriedBy }, 1, 'One')).toEqual([island])
})

test('who carries none is told so within a second or two', async () => {
  await expect(carriedIslands({ carriedBy: () => [island] }, 1, 'another')).rejects.toThrow(
    'no_relayed_island',
  )
})
