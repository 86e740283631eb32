import { describe, expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import {
  lastingOpenings,
  logOpenings,
  openingLastsMs,
  type CarrierFlip,
  type NewOpening,
  type OpeningsStore,
} from './log-openings.ts'

const minuteMs = openingLastsMs

function flip(details: Partial<CarrierFlip> = {}): CarrierFlip {
  return { islandKey: 1, status: 'online', atMs: 0, nextMs: null, last: null, ...details }
}

function logged(...flips: readonly CarrierFlip[]) {
  return lastingOpenings(flips, () => 'id').map(({ islandKey, kind, atMs }) => [
    islandKey,
    kind,
    atMs,
  ])
}

describe('openings in a log', () => {
  test('are states that lasted a minute', () => {
    expect(logged(flip({ nextMs: minuteMs }))).toEqual([[1, 'opened', 0]])
    expect(logged(flip({ nextMs: minuteMs - 1 }))).toEqual([])
  })

  test('differ from the one before, for each island on its own', () => {
    const opened = { kind: 'opened', atMs: 0 } as const
    const offline = flip({ status: 'offline', atMs: 5, last: opened })
    expect(logged(offline, flip({ ...offline, islandKey: 2, last: null }))).toEqual([
      [1, 'closed', 5],
      [2, 'closed', 5],
    ])
    // It was offline for less than a minute.
    expect(logged(flip({ atMs: 9, last: opened }))).toEqual([])
  })

  test('include each change of several that are read at once', () => {
    const day = { nextMs: 9 * minuteMs }
    expect(
      logged(
        flip({ ...day, atMs: 1 }),
        flip({ ...day, status: 'offline', atMs: 2 }),
        flip({ status: 'online', atMs: 3 }),
      ),
    ).toEqual([
      [1, 'opened', 1],
      [1, 'closed', 2],
      [1, 'opened', 3],
    ])
  })

  test('appear once, even if flips come again after a crash', () => {
    const last = { kind: 'closed', atMs: 2 } as const
    expect(logged(flip({ atMs: 1, last }), flip({ status: 'offline', atMs: 2, last }))).toEqual([])
  })
})

/** Flips of one device that carries an island, alternating between online and offline. */
function setUp(...times: readonly number[]) {
  const clock = movableClock()
  const startMs = clock.now()
  const flips = times.map((time, at) => ({
    sequence: at + 1,
    status: at % 2 === 0 ? ('online' as const) : ('offline' as const),
    atMs: startMs + time,
  }))
  let cursor = 0
  let reads = 0
  const written: NewOpening[] = []
  const flipsToRead: Parameters<typeof logOpenings>[0]['flips'] = {
    read: async () => {
      reads += 1
      const page = flips.filter(({ sequence }) => sequence > cursor)
      if (page.length === 0) return undefined
      return {
        writer: 1,
        sequences: page.map(({ sequence }) => sequence),
        deviceKeys: page.map(() => 7),
        deviceIds: page.map(() => 'device'),
        ownerKeys: page.map(() => 3),
        statuses: page.map(({ status }) => status),
        atMs: page.map(({ atMs }) => atMs),
      }
    },
    moveOn: async (_, { sequences }) => {
      cursor = sequences.at(-1) ?? cursor
    },
  }
  const store: Pick<OpeningsStore, 'ofCarriers' | 'insert'> = {
    ofCarriers: async ({ statuses, atMs }) =>
      statuses.map((status, at) =>
        flip({
          status,
          atMs: atMs[at] ?? 0,
          nextMs: flips.find((one) => one.atMs > (atMs[at] ?? 0))?.atMs ?? null,
          last: written.at(-1) ?? null,
        }),
      ),
    insert: async (openings) => {
      written.push(...openings)
    },
  }
  const write = logOpenings({
    flips: flipsToRead,
    store,
    clock: clock.now,
    rest: async () => undefined,
  })
  return {
    clock,
    write,
    readCount: () => reads,
    lines: () => written.map(({ kind, atMs }) => [kind, atMs - startMs]),
  }
}

describe('reading flips', () => {
  test('an opening is written once it has lasted', async () => {
    const { clock, write, lines } = setUp(0, 10 * minuteMs)
    clock.move(minuteMs - 1)
    await write()
    expect(lines()).toEqual([])
    clock.move(1)
    await write()
    expect(lines()).toEqual([['opened', 0]])
    clock.move(20 * minuteMs)
    await write()
    expect(lines()).toEqual([
      ['opened', 0],
      ['closed', 10 * minuteMs],
    ])
  })

  test('nothing is read again until the next flip has lasted', async () => {
    const { clock, write, readCount } = setUp(0)
    await write()
    clock.move(minuteMs - 1)
    await write()
    expect(readCount()).toBe(1)
  })
})
