import { expect, test } from 'vitest'
import { insertDevice } from '../../../test/factories.ts'
import { pass, setUpPresence, windowMs } from '../testing/set-up-presence.ts'
import { createFlipLog } from './flip-log.ts'
import type { FlipStore } from './flip-store.ts'
import { sqlFlipStore } from './sql-flip-store.ts'

interface Line {
  readonly online: number
  readonly offline: number
  readonly devices: readonly string[]
  readonly sequences: readonly [first: number, last: number]
}

async function setUp() {
  const { db, clock, presence } = await setUpPresence()
  const store = sqlFlipStore(db)
  const lines: Line[] = []
  /** The log's calls, in order. */
  const calls: (keyof FlipStore | 'line')[] = []
  /** Calls of the store that fail at present. */
  const failing = new Set<keyof FlipStore>()
  const call = (name: keyof FlipStore) => {
    calls.push(name)
    if (failing.has(name)) throw new Error('cut off')
  }
  const watched: FlipStore = {
    ...store,
    read: async (...asked) => {
      call('read')
      return await store.read(...asked)
    },
    moveOn: async (...moved) => {
      call('moveOn')
      await store.moveOn(...moved)
    },
  }
  /** The log of a server that starts now. */
  const start = (flipsPerLine = 1000) => {
    const log = {
      info: (line: Line) => {
        calls.push('line')
        lines.push(line)
      },
    }
    const flipLog = createFlipLog({ store: watched, log, flipsPerLine })
    presence.listen(() => flipLog.expectFlips())
    return flipLog
  }
  const comeOnline = async (count: number) => {
    const keys: number[] = []
    while (keys.length < count) keys.push(await insertDevice(db))
    await Promise.all(keys.map((key) => presence.heartbeat(key)))
    const rows = await db.selectFrom('devices').select('id').orderBy('key').execute()
    return { keys, ids: rows.map(({ id }) => id).slice(-count) }
  }
  return { clock, presence, lines, calls, failing, start, comeOnline }
}

test('a line counts the flips since the last one and names some of the devices', async () => {
  const { clock, presence, lines, start, comeOnline } = await setUp()
  const flipLog = start()
  const { ids } = await comeOnline(30)
  await flipLog.write()
  expect(lines).toMatchObject([{ online: 30, offline: 0, devices: ids.slice(0, 20) }])
  await pass(presence, clock, windowMs)
  const { ids: later } = await comeOnline(1)
  await flipLog.write()
  expect(lines[1]).toMatchObject({ online: 1, offline: 30 })
  expect(lines[1]?.devices).not.toContain(later)
  expect(lines[1]?.sequences[0]).toBe((lines[0]?.sequences[1] ?? 0) + 1)
})

test('without a flip there is no line and no read', async () => {
  const { lines, calls, start, comeOnline } = await setUp()
  const flipLog = start()
  await flipLog.write()
  await flipLog.write()
  expect([calls, lines]).toEqual([['read'], []])
  await comeOnline(1)
  await flipLog.write()
  expect(lines).toHaveLength(1)
})

test('[P9] a storm of flips is logged in as many lines as it takes', async () => {
  const { lines, start, comeOnline } = await setUp()
  const flipLog = start(10)
  await comeOnline(25)
  for (let second = 0; second < 4; second += 1) await flipLog.write()
  expect(lines.map(({ online }) => online)).toEqual([10, 10, 5])
})

test('[P9] the cursor moves after the line is written', async () => {
  const { calls, start, comeOnline } = await setUp()
  await comeOnline(1)
  await start().write()
  expect(calls).toEqual(['read', 'line', 'moveOn'])
})

test.each<keyof FlipStore>(['read', 'moveOn'])(
  '[P9] when %s fails, the next try and the next start log the same flips',
  async (name) => {
    const { lines, failing, start, comeOnline } = await setUp()
    const flipLog = start()
    const { ids } = await comeOnline(1)
    failing.add(name)
    await expect(flipLog.write()).rejects.toThrow('cut off')
    await expect(flipLog.write()).rejects.toThrow('cut off')
    const restarted = start()
    failing.clear()
    lines.length = 0
    await restarted.write()
    expect(lines).toMatchObject([{ online: 1, devices: ids }])
    await flipLog.write()
    expect(lines).toHaveLength(1)
  },
)
