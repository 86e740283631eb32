import type { PublicDevice, Status } from '@astropelago/contract/devices'
import { coarsePlace } from '@astropelago/contract/place'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DeviceRecord } from './features/devices/devices-store.ts'
import { PublicDevices } from './features/devices/public/public-devices.ts'
import { PublicList } from './features/devices/public/public-list.ts'
import { createPublisher } from './features/devices/public/publisher.ts'
import { pagesOf, testDevice } from './features/devices/testing/test-device.ts'
import { Feed } from './features/feed/feed.ts'
import { testReader, type TestReader } from './features/feed/testing/test-reader.ts'
import { webSocketFrames } from './features/feed/web-socket-reader.ts'
import { PublicMessages } from './public-messages.ts'
import { movableClock } from './test/movable-clock.ts'

/** Slots for devices. A deleted device leaves its slot to another one with a new key and id. */
const slots = [0, 1, 2, 3, 4]

/** List and feed, composed as in devices-feature.ts, along with the simplest model of their contents. */
async function setUp() {
  const clock = movableClock()
  const records = new Map<number, DeviceRecord>()
  const statuses = new Map<number, Status>()
  const presence = {
    status: (key: number) => statuses.get(key) ?? 'unknown',
    lastSeenMs: (key: number) => key,
  }
  const feed = new Feed('e')
  const devices = await PublicDevices.load(pagesOf([]), presence)
  // The test ends batches by hand.
  const messages = new PublicMessages({ feed, afterBatchTime: () => undefined })
  const list = new PublicList({ devices, presence, changes: messages, clock: clock.now })
  const publisher = createPublisher({
    devices,
    messages: messages.of('device', (key) => devices.json(key)),
    list,
  })
  const publicNow = () => {
    const devicesNow = [...records.values()].filter(({ visibility }) => visibility === 'public')
    const shown = devicesNow.map((device): PublicDevice => {
      const { key, id, label, link } = device
      const { lat, lon } = coarsePlace(device, device.precision)
      return { id, label, lat, lon, link, status: presence.status(key) }
    })
    return new Map(shown.map((device) => [device.id, device]))
  }
  return { clock, records, statuses, feed, messages, publisher, list, publicNow }
}

/** A browser: what it knows, and the position that it reads on from. */
class Browser {
  readonly known = new Map<string, PublicDevice>()
  reader: TestReader
  sequence: string | undefined
  #read = 0

  constructor(reader: TestReader) {
    this.reader = reader
  }

  reconnect(reader: TestReader): void {
    this.reader = reader
    this.#read = 0
  }

  /** Reads what is new, and returns what should not have been sent at this moment. */
  read({ publicNow, isPrivate, isHidden }: Truth): string[] {
    const wrong: string[] = []
    for (const { message } of this.reader.received().slice(this.#read)) {
      this.#read += 1
      if (Array.isArray(message)) {
        this.known.clear()
        for (const device of message) this.known.set(device.id, device)
        wrong.push(...message.filter(({ id }) => !publicNow.has(id)).map(({ id }) => `lists ${id}`))
        wrong.push(...message.filter(isHidden).map(({ id }) => `lists the place of ${id}`))
      } else if (message.type === 'reload') {
        this.sequence = undefined
      } else {
        if (numberOf(message.sequence) <= numberOf(this.sequence)) wrong.push(message.sequence)
        this.sequence = message.sequence
        const { id } = message.payload
        if (message.type === 'device-removed') this.known.delete(id)
        else if (message.type === 'device') {
          this.known.set(id, message.payload)
          if (!publicNow.has(id) || isPrivate(message.payload.label)) wrong.push(`tells of ${id}`)
          if (isHidden(message.payload)) wrong.push(`tells the place of ${id}`)
        }
      }
    }
    return wrong
  }
}

interface Truth {
  readonly publicNow: ReadonlyMap<string, PublicDevice>
  /** Whether a device had this label while it was private. */
  readonly isPrivate: (label: string) => boolean
  /** Whether the place in a message is not public now. */
  readonly isHidden: (told: PublicDevice) => boolean
}

function numberOf(sequence: string | undefined): number {
  return Number(sequence?.split('-').at(-1) ?? -1)
}

const slot = fc.constantFrom(...slots)
const visibility = fc.constantFrom('public' as const, 'private' as const)
const precision = fc.constantFrom('exact' as const, 'km1' as const, 'km10' as const)
/** The first two are in one cell of 1 km, the first three in one of 10 km. */
const place = fc.constantFrom(
  { lat: 52.5212, lon: 13.4264 },
  { lat: 52.5288, lon: 13.4281 },
  { lat: 52.5931, lon: 13.5511 },
  { lat: -33.8688, lon: 151.2093 },
)
const save = fc.record({
  do: fc.constant('save' as const),
  slot,
  visibility,
  precision,
  place,
  renames: fc.boolean(),
})
const act = fc.oneof(
  { weight: 4, arbitrary: save },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('flip' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), slot }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end batch' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('load list' as const), ms: fc.nat(1500) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('connect' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lose' as const), browser: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resume' as const), browser: fc.nat() }) },
)

test('S58 [P7] [P8] S23 whatever changes while browsers connect and reconnect, each ends with the public state, in order, and never receives private data', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 80, size: 'max' }), async (acts) => {
      const { clock, records, statuses, feed, messages, publisher, list, publicNow } = await setUp()
      const listening: Browser[] = []
      const lost: Browser[] = []
      const wrong: string[] = []
      const privateLabels = new Set<string>()
      const truth = (): Truth => ({
        publicNow: publicNow(),
        isPrivate: (label) => privateLabels.has(label),
        isHidden: ({ id, lat, lon }) => {
          const device = [...records.values()].find((record) => record.id === id)
          if (device === undefined || device.precision === 'exact') return false
          const shown = coarsePlace(device, device.precision)
          return lat !== shown.lat || lon !== shown.lon
        },
      })
      let saved = 0
      let made = 0

      const connect = async () => {
        await list.prepared()
        const latest = list.latest()
        if (latest === undefined) throw new Error('There is no list')
        const browser = new Browser(testReader(saved % 2 === 0 ? undefined : webSocketFrames))
        browser.sequence = latest.sequence
        feed.start(browser.reader, latest)
        listening.push(browser)
      }

      for (const one of acts) {
        switch (one.do) {
          case 'save': {
            saved += 1
            const before = records.get(one.slot)
            const key = before?.key ?? (made += 1)
            const isKept = before?.visibility === 'public' && one.visibility === 'public'
            const { do: _, slot: __, renames, place: where, ...settings } = one
            const label = isKept && !renames ? before.label : `v${saved}`
            const record = testDevice(key, { ...settings, ...where, label })
            records.set(one.slot, record)
            if (one.visibility === 'private') privateLabels.add(label)
            publisher.set(record)
            break
          }
          case 'flip': {
            const key = records.get(one.slot)?.key ?? 0
            const status = statuses.get(key) === 'online' ? 'offline' : 'online'
            statuses.set(key, status)
            publisher.setStatus([key], status)
            break
          }
          case 'delete':
            publisher.delete(records.get(one.slot)?.key ?? 0)
            records.delete(one.slot)
            break
          case 'end batch':
            messages.seal()
            break
          case 'load list': {
            clock.move(one.ms)
            const { json } = await list.prepared()
            const listed: PublicDevice[] = JSON.parse(json.toString())
            wrong.push(...listed.filter(({ id }) => !publicNow().has(id)).map(({ id }) => id))
            wrong.push(...listed.filter(truth().isHidden).map(({ id }) => `the place of ${id}`))
            break
          }
          case 'connect':
            await connect()
            break
          case 'lose': {
            const [browser] = listening.splice(one.browser % (listening.length || 1), 1)
            if (browser === undefined) break
            feed.leave(browser.reader)
            lost.push(browser)
            break
          }
          case 'resume': {
            const [browser] = lost.splice(one.browser % (lost.length || 1), 1)
            if (browser === undefined) break
            browser.reconnect(testReader())
            feed.resume(browser.reader, browser.sequence ?? '')
            listening.push(browser)
            break
          }
        }
        for (const browser of listening) wrong.push(...browser.read(truth()))
      }
      await connect()
      messages.seal()
      for (const browser of listening) {
        wrong.push(...browser.read(truth()))
        expect(browser.known).toEqual(publicNow())
      }
      expect(wrong).toEqual([])
    }),
    { numRuns: 500 },
  )
}, 60_000)
