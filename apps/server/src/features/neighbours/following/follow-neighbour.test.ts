import type { DirectoryEntry } from '@astropelago/contract/neighbour-directory'
import { expect, onTestFinished, test } from 'vitest'
import { createOutgoing } from '../../../outgoing/outgoing.ts'
import { aboutReader, InstallationUnreachable } from '../read-about.ts'
import { newPrivateKey, signerOf, StatementRefused } from '../statements.ts'
import {
  deviceEntry,
  eventOf,
  islandEntry,
  playInstallation,
  type PlayedInstallation,
} from '../conformance/played-installation.ts'
import { ChangeBudget } from './change-budget.ts'
import { followNeighbour } from './follow-neighbour.ts'
import type { DirectoryChanges } from './neighbours-store.ts'

const clock = () => Date.now()

function textOf({ devices, islands, removed }: DirectoryChanges): string {
  return [...devices, ...islands, ...removed].map(({ id }) => id).join(' ')
}

async function setUp() {
  const far = await playInstallation(clock)
  onTestFinished(far.close)
  far.state.entries = [deviceEntry()]
  const signer = signerOf(newPrivateKey())
  const outgoing = createOutgoing({ clock, ownHosts: [], allowsPrivate: true })
  const received: string[] = []
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const follow = (position?: { readonly epoch: number; readonly number: number }) =>
    followNeighbour(
      {
        address: far.address,
        publicKey: far.key(),
        keyNumber: 1,
        epoch: position?.epoch ?? null,
        number: position?.number ?? null,
      },
      {
        outgoing,
        readAbout: aboutReader(outgoing, clock),
        installation: async () => ({
          signer,
          keyNumber: 1,
          keyChanges: [],
          epochOf: () => undefined,
        }),
        address: 'https://home.example',
        clock,
        // Nothing is earned back while a slow machine reads a flood.
        budget: new ChangeBudget(() => 0),
        signal: closing.signal,
        receiver: {
          introduce: async ({ name }) => void received.push(`about ${name}`),
          beginSnapshot: async (epoch) => void received.push(`begin ${epoch}`),
          addPage: async (changes) => void received.push(`page ${textOf(changes)}`),
          endSnapshot: async ({ number }) => void received.push(`end ${number}`),
          change: async (changes) => void received.push(`change ${textOf(changes)}`),
          alive: async ({ number }) => void received.push(`alive ${number}`),
        },
      },
    )
  return { far, follow, received, closing }
}

test('[F21] a snapshot, changes, and signs of life come in their order', async () => {
  const { far, follow, received } = await setUp()
  far.state.entries = ['a', 'b', 'c'].map((id) => deviceEntry({ id }))
  far.state.greet = (answer) => {
    answer.write(eventOf(far.pages(far.state.entries, 2)))
    far.change(deviceEntry({ id: 'd' }), deviceEntry({ id: 'd' }), islandEntry())
    answer.end(eventOf([far.statement('alive', '[]')]))
  }
  await expect(follow()).rejects.toThrow(InstallationUnreachable)
  const begun = ['about Far Sky', 'begin 1000', 'page a b', 'page c', 'end 0']
  expect(received).toEqual([...begun, 'change d isle', 'alive 3'])
})

test('[F21] whoever asks signs that it does', async () => {
  const { far, follow, closing } = await setUp()
  const following = follow({ epoch: 1000, number: 0 })
  await expect.poll(() => far.asked.length).toBe(1)
  expect(far.asked).toMatchObject([
    { after: '1000-0', authorization: expect.stringMatching(/^Astropelago [\w-]+\.[\w-]{86}$/) },
  ])
  closing.abort()
  await expect(following).rejects.toThrow(InstallationUnreachable)
})

const twice = (far: PlayedInstallation, entries: readonly DirectoryEntry[]) =>
  far.statement('changes', JSON.stringify(entries), { number: far.state.number + 1 })

test.each<[string, (far: PlayedInstallation) => void, string]>([
  [
    'a wrong signature',
    (far) => {
      const { head, body } = far.statement('changes', '[]', { number: 5 })
      far.send({ head, body, signature: far.statement('alive', '[]').signature })
    },
    'Its signature is wrong.',
  ],
  [
    'a sequence that goes back',
    (far) => far.send(far.statement('changes', '[]', { number: 0 })),
    'It repeats what it has said before.',
  ],
  [
    'an earlier epoch',
    (far) => far.send(far.statement('alive', '[]', { epoch: 999 })),
    'It goes back to an earlier state of its own.',
  ],
  [
    'a clock far ahead',
    (far) => far.send(far.statement('alive', '[]', { at: 9e14 })),
    'Its clock is ahead of ours.',
  ],
  [
    'what another one said',
    (far) => far.send(far.statement('alive', '[]', { from: 'https://other.example' })),
    'It sends what another one has said.',
  ],
  [
    'a device at no place',
    (far) => far.send(twice(far, [deviceEntry({ lat: 91 })])),
    'It sends islands or devices that no installation has.',
  ],
  [
    'a name of control characters',
    (far) => far.send(twice(far, [deviceEntry({ label: '\u0007' })])),
    'It sends islands or devices that no installation has.',
  ],
  [
    'a slug that is a path',
    (far) => far.send(twice(far, [islandEntry({ slug: '../../account' })])),
    'It sends islands or devices that no installation has.',
  ],
  [
    'an id that is a path',
    (far) => far.send(twice(far, [deviceEntry({ id: '../x' })])),
    'It sends islands or devices that no installation has.',
  ],
  [
    'a body that is no JSON',
    (far) => far.send(far.statement('changes', '[', { number: 1 })),
    'It sends islands or devices that can’t be read.',
  ],
  [
    'a flood of changes',
    (far) => {
      const entries = Array.from({ length: 7000 }, () => deviceEntry())
      for (let at = 0; at < 4; at += 1) far.change(...entries)
    },
    'It sends more than 1,000 changes a second.',
  ],
  [
    'millions of entries that are none',
    (far) => {
      const zeros = `[${'0,'.repeat(3_000_000)}0]`
      far.send(far.statement('changes', zeros, { number: 1 }))
    },
    'It sends islands or devices that no installation has.',
  ],
  [
    'a flood of signs of life',
    (far) => {
      const alive = far.statement('alive', '[]')
      far.send(...Array.from({ length: 20_100 }, () => alive))
    },
    'It sends more than 1,000 statements, or 4 MB, a second.',
  ],
  [
    'a flood of empty events',
    (far) => {
      for (const answer of far.open) answer.write('\n\n'.repeat(50_000))
    },
    'It sends more than 1,000 statements, or 4 MB, a second.',
  ],
  [
    'a new beginning again and again',
    (far) => {
      for (let at = 1; at < 30; at += 1) far.send(...far.pages([]))
    },
    'It begins anew more than 20 times an hour.',
  ],
])('S73 refused: %s', async (_, attack, note) => {
  const { far, follow, received } = await setUp()
  const following = follow()
  following.catch(() => undefined)
  await expect.poll(() => received).toContain('end 0')
  attack(far)
  await expect(following).rejects.toThrow(new StatementRefused(note))
  await expect.poll(() => far.open.size).toBe(0)
})

test('S73 a body without end is cut off', async () => {
  const { far, follow } = await setUp()
  let sent = 0
  far.state.greet = (answer) => {
    const piece = Buffer.alloc(1 << 20, 'x')
    const more = () => {
      while (!answer.destroyed && answer.write(piece)) sent += piece.length
      if (!answer.destroyed) answer.once('drain', more)
    }
    answer.write('data: ')
    more()
  }
  const note = 'It sends a statement without end.'
  await expect(follow()).rejects.toThrow(new StatementRefused(note))
  expect(sent).toBeLessThan(64 << 20)
})
