import { expect, test } from 'vitest'
import { PublicMessages, type PublicMessage } from '../../../public-messages.ts'
import { Feed } from '../../feed/feed.ts'
import type { NeighbourRecord } from './neighbours-store.ts'
import { publishNeighbours } from './publish-neighbours.ts'
import type { ShownNeighbour } from './shown-neighbours.ts'

const sky: NeighbourRecord = {
  key: 1,
  id: 'sky',
  address: 'https://sky.example',
  name: 'Sky',
  colour: 0,
  state: 'following',
  note: null,
  publicKey: 'key',
  keyNumber: 1,
  unknownKey: null,
  epoch: 1,
  number: 1,
  contactMs: 0,
  addedMs: 0,
}

function setUp(...shown: readonly NeighbourRecord[]) {
  const sent: PublicMessage[] = []
  const feed = new Feed()
  const messages = new PublicMessages({
    feed: Object.assign(feed, {
      send: (batch: readonly PublicMessage[]) => void sent.push(...batch),
    }),
    afterBatchTime: () => undefined,
  })
  const state = { shown }
  const hidden = new Set<string>()
  const publisher = publishNeighbours(messages, {
    byKey: async () => {
      const counts = { devices: 1, islands: 0 }
      return new Map<number, ShownNeighbour>(
        state.shown.map((record) => [record.key, { record, counts }]),
      )
    },
    isHidden: async (key, { kind, id }) => hidden.has(`${key} ${kind} ${id}`),
    renew: () => undefined,
  })
  const said = () => {
    messages.seal()
    return sent.splice(0).map(({ type, payload }) => {
      const { id, label }: { id: string; label?: string } = JSON.parse(
        Buffer.from(payload).toString(),
      )
      return [type, id, label ?? null]
    })
  }
  return { ...publisher, state, hidden, said }
}

const nothing = { devices: [], islands: [], removed: [], grownBy: { devices: 0, islands: 0 } }
const device = (key: number, label = 'Buoy') =>
  ({ key, id: `d${key}`, label, lat: 1, lon: 2, status: 'online' }) as const

test('[F24] also what a server before this one has published is taken back', async () => {
  const { begin, publishShown, state, said } = setUp(sky)
  await begin()
  expect(said()).toEqual([])
  state.shown = []
  await publishShown()
  expect(said()).toEqual([['neighbour-removed', 'sky', null]])
})

test('changes are sent as they are, and not those of what is hidden', async () => {
  const { publish, hidden, said } = setUp(sky)
  hidden.add('1 device d2')
  const removed = [{ kind: 'island', key: 7, id: 'isle' } as const]
  await publish(sky, { ...nothing, devices: [device(1), device(2)], removed })
  expect(said()).toEqual([
    ['neighbour-device', 'sky:d1', 'Buoy'],
    ['neighbour-island-removed', 'sky:isle', null],
  ])
})

test('[F24] what an operator hides is taken back at once', async () => {
  const { publishHidden, said } = setUp(sky)
  await publishHidden(sky.key, { kind: 'island', key: 7, id: 'isle' })
  await publishHidden(2, { kind: 'island', key: 8, id: 'other' })
  expect(said()).toEqual([['neighbour-island-removed', 'sky:isle', null]])
})

test('with many changes at once, lists are loaded again', async () => {
  const { publish, said } = setUp(sky)
  const devices = Array.from({ length: 501 }, (_, at) => device(at))
  await publish(sky, { ...nothing, devices })
  expect(said()).toEqual([['neighbour', 'sky', null]])
})
