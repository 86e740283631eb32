import { setImmediate as endOfTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { movableClock } from '../../../test/movable-clock.ts'
import type { CheckState, FoundCheck } from '../checks-store.ts'
import type { ProbedTarget, ProbeResult } from '../probe.ts'
import { memoryChecks } from '../testing/memory-checks.ts'
import { CheckRunner, looksAtOnce } from './check-runner.ts'

const page = { kind: 'http', url: 'https://example.org/' } as const
const push = { kind: 'push', periodS: 60, graceS: 30 } as const
const answer: ProbeResult = { isUp: true, tookMs: 3 }
const failure: ProbeResult = { isUp: false, tookMs: null, note: 'Refused.' }

function stateOf(status: CheckState['status'], lookedMs: number): CheckState {
  return {
    status,
    sinceMs: lookedMs,
    lookedMs,
    startedMs: null,
    dueMs: null,
    tookMs: null,
    failures: 0,
    note: null,
  }
}

function setUp({
  checks = memoryChecks(),
  clock = movableClock(),
}: {
  readonly checks?: ReturnType<typeof memoryChecks>
  readonly clock?: ReturnType<typeof movableClock>
} = {}) {
  const looks: { readonly atMs: number; readonly target: ProbedTarget }[] = []
  const state = {
    leads: true,
    isClear: true,
    probe: async (_target: ProbedTarget): Promise<ProbeResult> => answer,
  }
  const warnings: string[] = []
  const runner = new CheckRunner({
    store: checks.store,
    probe: async (target) => {
      looks.push({ atMs: clock.now(), target })
      return await state.probe(target)
    },
    sight: { note: () => undefined, isClear: async () => state.isClear },
    clock: clock.now,
    leads: () => state.leads,
    log: { warn: (_, text) => warnings.push(text) },
  })
  const flips: FoundCheck[] = []
  runner.listen((found) => flips.push(...found))
  /** Runs what the schedule would, every second. */
  const pass = async (forMs: number, stepMs = 1000) => {
    for (let passedMs = 0; passedMs < forMs; passedMs += stepMs) {
      clock.move(stepMs)
      runner.lookAtDue()
      for (let turn = 0; turn < 4; turn += 1) await endOfTurn()
      if (passedMs % 1000 === 0) await runner.store().catch(() => undefined)
    }
  }
  const report = (key: number, kind: 'ok' | 'fail' | 'start', on = runner) => {
    const check = checks.get(key)
    const { target } = check
    if (target.kind !== 'push') throw new Error('It is no push check.')
    return on.report({ ...check, target }, { kind, note: null, tookMs: null })
  }
  return { checks, clock, looks, state, runner, flips, pass, report, warnings }
}

describe('[C2] looks', () => {
  test('spread evenly over the period, each check once in it', async () => {
    const { checks, clock, looks, pass } = setUp()
    for (let count = 0; count < 600; count += 1) {
      checks.put(page, { state: stateOf('up', clock.now()) })
    }
    await pass(60_000)
    const counts = Array.from({ length: 12 }, (_, bucket) => {
      const fromMs = clock.now() - 60_000 + bucket * 5000
      return looks.filter(({ atMs }) => atMs > fromMs && atMs <= fromMs + 5000).length
    })
    expect(looks.length).toBeGreaterThanOrEqual(580)
    expect(looks.length).toBeLessThanOrEqual(600)
    for (const count of counts) {
      expect(count).toBeGreaterThan(20)
      expect(count).toBeLessThan(90)
    }
    looks.length = 0
    await pass(60_000)
    expect(looks).toHaveLength(600)
  })

  test('keep their place in the period after a restart', async () => {
    const { checks, clock, looks, pass } = setUp()
    checks.put(page)
    await pass(180_000)
    const again = setUp({ checks, clock })
    await again.pass(120_000)
    const places = [...looks, ...again.looks].map(({ atMs }) => atMs % 60_000)
    expect(again.looks).toHaveLength(2)
    expect(new Set(places.slice(1)).size).toBe(1)
  })

  test.each([
    ['were never looked at', null, 10_000],
    ['were due while the server was down', 3_600_000, 60_000],
  ])('of checks that %s are spread too', async (_, agoMs, spreadMs) => {
    const { checks, clock, looks, pass } = setUp()
    for (let count = 0; count < 500; count += 1) {
      const state = agoMs === null ? null : stateOf('down', clock.now() - agoMs)
      checks.put({ ...page, periodS: 3600 }, { state })
    }
    await pass(spreadMs + 2000)
    expect(looks.length).toBeGreaterThanOrEqual(500)
    for (let second = 0; second < spreadMs / 1000; second += 1) {
      const fromMs = clock.now() - spreadMs - 2000 + second * 1000
      const count = looks.filter(({ atMs }) => atMs > fromMs && atMs <= fromMs + 1000).length
      expect(count).toBeLessThan((3 * 500 * 1000) / spreadMs)
    }
  })

  test('after a sleep of the machine do not begin together', async () => {
    const { checks, clock, looks, pass, runner } = setUp()
    for (let count = 0; count < 300; count += 1) {
      checks.put(page, { state: stateOf('up', clock.now()) })
    }
    await pass(60_000)
    looks.length = 0
    clock.move(3_600_000)
    runner.lookAtDue()
    expect(looks.length).toBe(0)
    await pass(60_000)
    expect(looks.length).toBeGreaterThanOrEqual(300)
  })

  test('that take longer than a period are not doubled', async () => {
    const { checks, looks, state, pass } = setUp()
    const slow = Promise.withResolvers<ProbeResult>()
    state.probe = () => slow.promise
    checks.put({ ...page, periodS: 30 })
    await pass(180_000)
    expect(looks).toHaveLength(1)
    slow.resolve(answer)
    await pass(30_000)
    expect(looks).toHaveLength(2)
  })

  test('run at most 100 at once, and an owner of many slow ones delays nobody else’s', async () => {
    const { checks, looks, state, runner, pass } = setUp()
    const slow: PromiseWithResolvers<ProbeResult>[] = []
    state.probe = async ({ kind }) => {
      if (kind === 'http') return answer
      const one = Promise.withResolvers<ProbeResult>()
      slow.push(one)
      return await one.promise
    }
    for (let count = 0; count < 300; count += 1) {
      checks.put({ kind: 'tcp', host: 'slow.example', port: 80 }, { userKey: 1 })
    }
    await pass(11_000)
    expect(looks).toHaveLength(looksAtOnce)
    checks.put(page, { key: 999, userKey: 2 })
    runner.follow([999])
    await pass(11_000)
    expect(looks).toHaveLength(looksAtOnce)
    for (const one of slow.slice(0, 2)) one.resolve(answer)
    await pass(1000)
    // The other owner's look ended, and made room for one more.
    expect(looks).toHaveLength(looksAtOnce + 3)
    expect(checks.get(999).state?.status).toBe('up')
  })

  test('of paused and deleted checks do not happen, and changed ones count at once', async () => {
    const { checks, looks, pass, runner } = setUp()
    checks.put(page, { isPaused: true })
    checks.put(page)
    await pass(120_000)
    expect(looks.length).toBeGreaterThanOrEqual(2)
    checks.delete(2)
    runner.follow([2])
    await pass(1000)
    looks.length = 0
    checks.put({ kind: 'tcp', host: 'example.org', port: 80 }, { key: 1 })
    runner.follow([1])
    await pass(120_000)
    expect(new Set(looks.map(({ target }) => target.kind))).toEqual(new Set(['tcp']))
  })

  test('that are under way when the target changes tell nothing about the new one', async () => {
    const { checks, state, pass, runner } = setUp()
    const slow = Promise.withResolvers<ProbeResult>()
    state.probe = () => slow.promise
    checks.put(page)
    await pass(11_000)
    checks.put({ ...page, url: 'https://other.example/', periodS: 86_400 }, { key: 1 })
    runner.follow([1])
    await pass(1000)
    slow.resolve(failure)
    await pass(1000)
    expect(checks.groups).toEqual([])
  })
})

describe('what is found', () => {
  test('[C4] is stored together once a second, and published then', async () => {
    const { checks, clock, state, pass, flips } = setUp()
    for (let count = 0; count < 100; count += 1) checks.put(page)
    await pass(11_100, 100)
    expect(new Set(checks.groups.flat().map(({ checkKey }) => checkKey)).size).toBe(100)
    expect(checks.groups.length).toBeLessThanOrEqual(20)
    expect(flips).toHaveLength(100)
    const { status, lookedMs, tookMs } = checks.get(1).state ?? {}
    expect({ status, tookMs }).toEqual({ status: 'up', tookMs: 3 })
    expect(lookedMs).toBeLessThanOrEqual(clock.now())
    state.probe = async () => failure
    await pass(90_000)
    expect(checks.get(1).state).toMatchObject({ status: 'down', failures: 2, note: 'Refused.' })
    expect(checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'down'])
  })

  test('[C4] is looked at again soon after a first failure, and then in its period', async () => {
    const { checks, state, pass, looks } = setUp()
    checks.put({ ...page, periodS: 600 })
    await pass(1_200_000)
    const before = looks.length
    let failures = 1
    state.probe = async () => (failures-- > 0 ? failure : answer)
    await pass(1_200_000)
    const at = looks.slice(before).map(({ atMs }) => atMs)
    const apart = at.slice(1).map((ms, index) => ms - (at[index] ?? 0))
    expect(apart).toEqual([300_000, 300_000])
    expect(checks.get(1).state).toMatchObject({ status: 'up', failures: 0 })
  })

  test('[C5] is unobserved while the server sees nothing', async () => {
    const { checks, state, pass } = setUp()
    checks.put(page)
    await pass(11_000)
    state.isClear = false
    state.probe = async () => failure
    await pass(180_000)
    expect(checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'unobserved'])
    state.isClear = true
    state.probe = async () => answer
    await pass(60_000)
    expect(checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'unobserved', 'up'])
  })

  test('[C5] is dropped while storage refuses, and is unobserved since then', async () => {
    const { checks, clock, state, pass } = setUp()
    for (let count = 0; count < 10; count += 1) checks.put(page)
    await pass(11_000)
    const refusedMs = clock.now()
    checks.refuse(true)
    state.probe = async () => failure
    await pass(600_000)
    checks.refuse(false)
    state.probe = async () => answer
    const groups = checks.groups.length
    const events = () => checks.eventsOf(1)
    await pass(1000)
    expect(checks.groups.slice(groups).flat().length).toBeLessThanOrEqual(12)
    await pass(120_000)
    expect(events().map(({ kind }) => kind)).toEqual(['up', 'unobserved', 'up'])
    expect(events()[1]?.atMs).toBeGreaterThan(refusedMs)
    expect(events()[1]?.atMs).toBeLessThanOrEqual(refusedMs + 61_000)
  })

  test('is stored when the server stops', async () => {
    const { checks, clock, runner, pass } = setUp()
    checks.put(page, { state: stateOf('up', clock.now()) })
    await pass(1000)
    clock.move(1)
    await runner.run(checks.get(1))
    expect(checks.groups).toEqual([])
    await runner.stop()
    expect(checks.groups.flat()).toHaveLength(1)
  })
})

describe('a look at once', () => {
  test('counts like any other', async () => {
    const { checks, state, runner, pass } = setUp()
    checks.put({ ...page, periodS: 86_400 })
    await pass(11_000)
    state.probe = async () => failure
    for (let count = 0; count < 2; count += 1) {
      expect(await runner.run(checks.get(1))).toBe(failure)
    }
    await pass(1000)
    expect(checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'down'])
  })

  test('[C14] decides no more than others let it', async () => {
    const { checks, state, runner, pass } = setUp()
    runner.lookFrom({
      look: async () => [],
      lookFromOwn: async () => answer,
      judge: ({ state: before }, found) => {
        const { status } = before ?? found.state
        return { ...found, state: { ...found.state, status }, event: null }
      },
    })
    checks.put({ ...page, periodS: 86_400 }, { state: stateOf('up', 0) })
    await pass(61_000)
    state.probe = async () => failure
    for (let count = 0; count < 3; count += 1) await runner.run(checks.get(1))
    await pass(1000)
    expect(checks.get(1).state).toMatchObject({ status: 'up', failures: 3 })
    expect(checks.eventsOf(1)).toEqual([])
  })

  test('[C17] is the device’s where it runs from one, and unobserved while that can’t look', async () => {
    const { checks, looks, runner, pass, state } = setUp()
    const unseen: ProbeResult = { isUp: false, tookMs: null, note: 'No agent.', isUnseen: true }
    let found: ProbeResult = answer
    runner.lookFrom({
      look: async () => [],
      lookFromOwn: async () => found,
      judge: (_, judged) => judged,
    })
    checks.put(page, { device: { key: 4, id: 'd' } })
    checks.put({ kind: 'ping', host: '192.168.1.2' })
    // What the server itself sees does not matter.
    state.isClear = false
    await pass(61_000)
    found = failure
    await pass(120_000)
    found = unseen
    await pass(60_000)
    expect(checks.get(1).state).toMatchObject({ status: 'unobserved', note: 'No agent.' })
    found = answer
    await pass(60_000)
    found = unseen
    expect(await runner.run(checks.get(1))).toBe(unseen)
    await pass(1000)
    for (const key of [1, 2]) {
      const kinds = checks.eventsOf(key).map(({ kind }) => kind)
      expect(kinds).toEqual(['up', 'down', 'unobserved', 'up'])
    }
    expect(looks).toEqual([])
    expect(await runner.run({ ...checks.get(1), device: null })).toBe(answer)
    expect(looks).toHaveLength(1)
  })

  test('[C17] waits after a start for agents to connect again', async () => {
    const { checks, clock, runner, pass } = setUp()
    checks.put(
      { ...page, periodS: 30 },
      { device: { key: 4, id: 'd' }, state: stateOf('up', clock.now()) },
    )
    runner.lookFrom({
      look: async () => [],
      lookFromOwn: async () => ({ isUp: false, tookMs: null, note: 'No.', isUnseen: true }),
      judge: (_, judged) => judged,
    })
    await pass(40_000)
    expect(checks.get(1).state?.status).toBe('up')
    await pass(31_000)
    expect(checks.get(1).state?.status).toBe('unobserved')
  })

  test('that is under way when the target changes tells nothing about the new one', async () => {
    const { checks, clock, state, runner, pass } = setUp()
    checks.put({ ...page, periodS: 86_400 }, { state: stateOf('up', clock.now()) })
    await pass(1000)
    const slow = Promise.withResolvers<ProbeResult>()
    state.probe = () => slow.promise
    const found = runner.run(checks.get(1))
    const other = { ...page, url: 'https://other.example/', periodS: 86_400 }
    checks.put(other, { key: 1, state: stateOf('up', clock.now()) })
    runner.follow([1])
    await pass(1000)
    slow.resolve(failure)
    expect(await found).toBe(failure)
    await pass(1000)
    expect(checks.groups).toEqual([])
  })

  test('of a paused check changes nothing', async () => {
    const { checks, runner, pass } = setUp()
    checks.put(page, { isPaused: true })
    expect(await runner.run(checks.get(1))).toBe(answer)
    await pass(2000)
    expect(checks.groups).toEqual([])
  })
})

describe('several servers', () => {
  test('[C2] a look at once on another one has the leader look, which decides alone', async () => {
    const leader = setUp()
    const other = setUp({ checks: leader.checks, clock: leader.clock })
    leader.checks.onRequestedLook(leader.runner.lookSoon)
    other.state.leads = false
    other.state.probe = async () => failure
    leader.checks.put({ ...page, periodS: 86_400 })
    await leader.pass(11_000)
    const looks = leader.looks.length
    for (let count = 0; count < 2; count += 1) {
      expect(await other.runner.run(leader.checks.get(1))).toBe(failure)
      await leader.pass(2000)
    }
    expect(leader.looks).toHaveLength(looks + 2)
    expect(leader.checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up'])
    leader.state.probe = async () => failure
    for (let count = 0; count < 2; count += 1) {
      await other.runner.run(leader.checks.get(1))
      await leader.pass(2000)
    }
    expect(leader.checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'down'])
  })

  test('[C17] a look at once on another one has the leader ask the device too, if it can look', async () => {
    const leader = setUp()
    const other = setUp({ checks: leader.checks, clock: leader.clock })
    leader.checks.onRequestedLook(leader.runner.lookSoon)
    other.state.leads = false
    let [asked, found]: [number, ProbeResult] = [0, answer]
    const from = { look: async () => [], judge: (_: unknown, judged: FoundCheck) => judged }
    leader.runner.lookFrom({ ...from, lookFromOwn: async () => ((asked += 1), answer) })
    other.runner.lookFrom({ ...from, lookFromOwn: async () => found })
    leader.checks.put({ ...page, periodS: 86_400 }, { device: { key: 4, id: 'd' } })
    await leader.pass(11_000)
    expect(asked).toBe(1)
    expect(await other.runner.run(leader.checks.get(1))).toBe(answer)
    await leader.pass(2000)
    expect(asked).toBe(2)
    found = { isUp: false, tookMs: null, note: 'No agent.', isUnseen: true }
    expect(await other.runner.run(leader.checks.get(1))).toBe(found)
    await leader.pass(2000)
    expect(asked).toBe(2)
    expect([...leader.looks, ...other.looks]).toEqual([])
  })

  test('only the leader looks, and the next one goes on', async () => {
    const first = setUp()
    const second = setUp({ checks: first.checks, clock: first.clock })
    second.state.leads = false
    first.checks.put(page)
    await first.pass(121_000)
    await second.pass(60_000)
    expect(first.looks.length).toBeGreaterThanOrEqual(2)
    expect(second.looks).toEqual([])
    expect(second.runner.heldCount).toBe(0)
    const count = first.looks.length
    first.state.leads = false
    second.state.leads = true
    await first.pass(1000)
    await second.pass(120_000)
    expect(first.looks).toHaveLength(count)
    expect(first.runner.heldCount).toBe(0)
    expect(second.looks.length).toBeGreaterThanOrEqual(2)
  })

  test('[C6] a report that another one took counts on the leader', async () => {
    const leader = setUp()
    const other = setUp({ checks: leader.checks, clock: leader.clock })
    other.state.leads = false
    leader.checks.put(push)
    await leader.pass(1000)
    await leader.report(1, 'ok')
    for (let count = 0; count < 5; count += 1) {
      await leader.pass(60_000)
      await leader.report(1, 'ok', other.runner)
    }
    expect(leader.checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up'])
    await leader.pass(110_000)
    expect(leader.checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'down'])
  })

  test('[C6] a report that another one takes while the deadline is judged counts', async () => {
    const leader = setUp()
    const other = setUp({ checks: leader.checks, clock: leader.clock })
    other.state.leads = false
    leader.checks.put(push)
    await leader.pass(1000)
    await leader.report(1, 'ok')
    await leader.pass(99_000)
    // It is stored after the leader has read the check again, and before it writes.
    leader.checks.beforeNextRecord(() => leader.report(1, 'ok', other.runner))
    await leader.pass(3000)
    expect(leader.checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up'])
    expect(leader.flips).toHaveLength(1)
    // The leader waits for the next one.
    await leader.pass(110_000)
    expect(leader.checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'down'])
  })

  test('[C6] a start and an end that two of them take at once both count', async () => {
    const { checks, clock, report } = setUp()
    const other = setUp({ checks, clock })
    checks.put(push)
    checks.beforeNextRecord(() => report(1, 'ok', other.runner))
    await report(1, 'start')
    expect(checks.get(1).state).toMatchObject({ status: 'up', startedMs: clock.now() })
    clock.move(7000)
    await report(1, 'ok')
    expect(checks.get(1).state).toMatchObject({ status: 'up', tookMs: 7000 })
  })

  test('[C6] a run that began on another one has its duration', async () => {
    const leader = setUp()
    const other = setUp({ checks: leader.checks, clock: leader.clock })
    leader.checks.put(push)
    await leader.pass(1000)
    await leader.report(1, 'ok')
    await leader.report(1, 'start', other.runner)
    await leader.pass(7000)
    await leader.report(1, 'ok')
    expect(leader.checks.get(1).state).toMatchObject({ tookMs: 7000, startedMs: null })
  })
})

describe('[C6] a report', () => {
  test('that is missed makes a check down from its deadline on, and the next one up', async () => {
    const { checks, clock, pass, report, flips } = setUp()
    checks.put(push)
    await pass(300_000)
    expect(checks.get(1).state).toBeNull()
    await report(1, 'ok')
    const dueMs = clock.now() + 90_000
    // The 10 seconds in which a second report is not stored come on top.
    await pass(99_000)
    expect(checks.get(1).state?.status).toBe('up')
    await pass(2000)
    expect(checks.eventsOf(1)[1]).toEqual({
      atMs: dueMs,
      kind: 'down',
      note: 'No report came in time.',
    })
    await pass(500_000)
    await report(1, 'ok')
    expect(flips.map(({ state }) => state.status)).toEqual(['up', 'down', 'up'])
  })

  test('of a failure makes it down once, and no deadline follows', async () => {
    const { checks, pass, report } = setUp()
    checks.put(push)
    await pass(1000)
    await report(1, 'ok')
    await report(1, 'fail')
    await pass(600_000)
    expect(checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'down'])
  })

  test('that arrives with others of its check is stored in their order', async () => {
    const { checks, clock, pass, report } = setUp()
    checks.put(push)
    await pass(1000)
    await Promise.all([report(1, 'ok'), report(1, 'fail'), report(1, 'ok')])
    expect(checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'down', 'up'])
    const times = checks.eventsOf(1).map(({ atMs }) => atMs - clock.now())
    expect(times).toEqual([0, 1, 2])
  })

  test('that storage refuses is none', async () => {
    const { checks, pass, report } = setUp()
    checks.put(push)
    await pass(1000)
    checks.refuse(true)
    await expect(report(1, 'ok')).rejects.toThrow('The disk is gone.')
    checks.refuse(false)
    await report(1, 'ok')
    expect(checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up'])
  })

  test.each([
    ['the server was down', 600_000],
    ['the machine slept', 600_000],
    ['storage refused it', 600_000],
    ['the server was down for a moment, when it was to come', 5000],
  ])('that could not come while %s is awaited for a full period and grace', async (what, forMs) => {
    const first = setUp()
    first.checks.put(push)
    await first.pass(1000)
    await first.report(1, 'ok')
    await first.pass(forMs < 60_000 ? 60_000 : 40_000)
    let { pass } = first
    if (what.startsWith('storage')) {
      first.checks.refuse(true)
      await first.pass(forMs)
      first.checks.refuse(false)
      await pass(2000)
    } else {
      first.clock.move(forMs)
      if (what.startsWith('the server')) {
        ;({ pass } = setUp({ checks: first.checks, clock: first.clock }))
      }
    }
    await pass(90_000)
    expect(first.checks.get(1).state?.status).toBe('up')
    await pass(12_000)
    expect(first.checks.get(1).state?.status).toBe('down')
  })

  test('that comes once a month is missed in time, however often the server starts', async () => {
    const dayMs = 86_400_000
    const checks = memoryChecks()
    const clock = movableClock()
    checks.put({ kind: 'push', periodS: 30 * 86_400, graceS: 3600 })
    const first = setUp({ checks, clock })
    await first.pass(1000)
    await first.report(1, 'ok')
    for (let day = 0; day < 30; day += 5) {
      clock.move(5 * dayMs - 60_000)
      await setUp({ checks, clock }).pass(2000)
    }
    await setUp({ checks, clock }).pass(2 * 3_600_000, 5000)
    expect(checks.eventsOf(1).map(({ kind }) => kind)).toEqual(['up', 'down'])
  })

  test('to a paused check changes nothing, and after the pause it has its time', async () => {
    const { checks, pass, report, runner } = setUp()
    checks.put(push)
    await pass(1000)
    await report(1, 'ok')
    const { state } = checks.get(1)
    checks.put(push, { key: 1, isPaused: true, state })
    runner.follow([1])
    await pass(600_000)
    await report(1, 'fail')
    checks.put(push, { key: 1, state })
    runner.follow([1])
    await pass(90_000)
    expect(checks.get(1).state).toBe(state)
    await pass(12_000)
    expect(checks.get(1).state?.status).toBe('down')
  })
})
