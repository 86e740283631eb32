import { directoryPath } from '@astropelago/contract/neighbour-directory'
import { expect, test } from 'vitest'
import { createOutgoing } from '../../../outgoing/outgoing.ts'
import { startReceiver } from '../../../outgoing/testing/receiver.ts'
import { movableClock } from '../../../test/movable-clock.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { aboutReader } from '../read-about.ts'
import { newPrivateKey, signerOf } from '../statements.ts'
import { followers } from './followers.ts'
import { sqlFollowersStore } from './sql-followers-store.ts'

async function setUp() {
  const clock = movableClock()
  const receiver = await startReceiver()
  const schedule = { every: () => undefined, everyOnLeader: () => undefined }
  const outgoing = createOutgoing({ clock: clock.now, ownHosts: [], allowsPrivate: true })
  const known = followers({
    store: sqlFollowersStore(await openTestStorage()),
    readAbout: aboutReader(outgoing, clock.now),
    clock: clock.now,
    schedule,
    connected: () => [],
  })
  const signer = signerOf(newPrivateKey())
  const follower = { address: receiver.url, key: signer.key }
  const aboutOf = (from: string, by = signer) => {
    const said = { from, kind: 'about', at: clock.now(), epoch: 1, number: 0 } as const
    const about = {
      name: 'Sky',
      software: 'Other 1',
      key: by.key,
      keyNumber: 1,
      keyChanges: [],
      directory: directoryPath,
      islands: 0,
      devices: 0,
    }
    return JSON.stringify(by.sign(said, JSON.stringify(about)))
  }
  return { ...known, ...receiver, clock, follower, aboutOf }
}

test('[F5] a follower is verified if its address says that it has its key', async () => {
  const { note, askOne, list, calls, answerWith, follower, aboutOf, url } = await setUp()
  answerWith((_, response) => response.end(aboutOf(url)))
  await note(follower)
  expect(await list()).toMatchObject([{ address: url, isVerified: false, isConnected: true }])
  await askOne()
  await askOne()
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /.well-known/astropelago',
  ])
  expect(await list()).toMatchObject([{ isVerified: true }])
})

test('[F5] S73 nothing else verifies a follower', async () => {
  const { note, askOne, list, answerWith, clock, follower, aboutOf, url } = await setUp()
  const answers = [
    aboutOf('https://other.example'),
    aboutOf(url, signerOf(newPrivateKey())),
    'null',
    '{',
    'x'.repeat(70_000),
  ]
  for (const answer of answers) {
    answerWith((_, response) => response.end(answer))
    clock.move(25 * 3_600_000)
    await note(follower)
    await askOne()
    expect(await list()).toMatchObject([{ isVerified: false }])
  }
})
