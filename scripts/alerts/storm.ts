/** A thousand devices go offline at once while others report. */
import assert from 'node:assert/strict'
import { listAlertMessages } from '@astropelago/contract/alerts'
import * as v from 'valibot'
import type { HeartbeatTimes } from '../honest-devices.ts'
import { MachinePace } from '../machine-pace.ts'
import { waitUntil } from '../proxy-checks.ts'
import { type AlertStand, type Owner, windowS } from './alert-stand.ts'
import { laterS } from './receiver.ts'

const ownerCount = 100
const devicesEach = 10
const honestCount = 100
/** Receivers that hang, and as many that ask to retry later. */
const uselessCount = 10
const everyMs = 10
/** From before the flips until after the alerts. */
const measureMs = 6000
const aheadMs = 500
const p99BudgetMs = 25
/**
 * The check fails above this multiple of the budget, or of the figure before the storm if that is higher,
 * as on a busy machine.
 */
const budgetsMax = 2
const ratioMax = 3
/** A second alert comes after a minute. */
const patienceMs = 75_000

/** @returns the owners whose devices went offline */
export async function checkStorm(stand: AlertStand, database: string): Promise<readonly Owner[]> {
  const owners = await stand.makeOwners('stormy', ownerCount, devicesEach)
  await stand.tellNoReturns(owners)
  const hanging = await stand.makeOwners('hanging', uselessCount, 1, 'hangs')
  const refusing = await stand.makeOwners('refusing', uselessCount, 1, 'later')
  const [honest] = await stand.makeOwners('honest', 1, honestCount)
  assert.ok(honest !== undefined)
  const tokens = honest.devices.map(({ token }) => token)
  const measure = (forMs: number) =>
    stand.devices.measure({ port: stand.port, tokens, everyMs, forMs })
  const pace = new MachinePace()
  pace.start()
  const fromMs = Date.now()
  // Coming online for the first time is not part of the measurement.
  await measure(measureMs / 3)
  const calm = await measure(measureMs)
  const silent = [...hanging, ...refusing, ...owners].flatMap(({ devices }) => devices)
  assert.equal(await stand.beat(silent), 0)
  const flippedMs = performance.now() + windowS * 1000
  const { lost } = await measure(windowS * 1000 - aheadMs)
  const storm = await measure(measureMs)
  pace.stop()
  const slowness = pace.slowness(fromMs, Date.now())
  assert.equal(lost, 0)
  assert.deepEqual(stand.toldTo(honest), [])

  const isToldOfAll = (owner: Owner) =>
    stand.toldTo(owner).flatMap(({ deviceIds }) => deviceIds).length >= devicesEach
  await waitUntil(async () => owners.every(isToldOfAll), 'everybody gets all alerts', patienceMs)
  const counts = owners.map((owner) => {
    const told = stand.toldTo(owner)
    assert.deepEqual(
      told.flatMap(({ deviceIds }) => deviceIds).toSorted(),
      owner.devices.map(({ id }) => id).toSorted(),
    )
    return told.length
  })
  assert.ok(counts.every((count) => count === 1 || count === 2))
  const one = counts.filter((count) => count === 1).length
  const lastMs = Math.max(
    ...owners.flatMap(({ path }) => stand.receiver.of(path).map(({ atMs }) => atMs)),
  )
  await checkUseless(stand, hanging, refusing)
  console.log(
    `  ${database}: of ${ownerCount} users ${one} got one message about ${devicesEach} devices each, ${ownerCount - one} got two; the last one came ${((lastMs - flippedMs) / 1000).toFixed(1)} s after the last flip`,
  )
  judge({ calm, storm, slowness, database })
  return owners
}

/**
 * Checks that these receivers were called too, and that the server keeps to the delay that they asked for.
 */
async function checkUseless(
  stand: AlertStand,
  hanging: readonly Owner[],
  refusing: readonly Owner[],
): Promise<void> {
  for (const { path } of hanging) assert.ok(stand.receiver.of(path).length > 0, path)
  for (const { path, client } of refusing) {
    assert.equal(stand.receiver.of(path).length, 1, path)
    const answer = await client.call(listAlertMessages.method, listAlertMessages.path)
    const { messages } = v.parse(listAlertMessages.answers[200], await answer.json())
    const { triedAt, nextTryAt } = messages[0]?.deliveries[0] ?? {}
    const waitMs = Date.parse(nextTryAt ?? '') - Date.parse(triedAt ?? '')
    assert.equal(Math.round(waitMs / 1000), laterS)
  }
}

function judge({
  calm,
  storm,
  slowness,
  database,
}: {
  readonly calm: HeartbeatTimes
  readonly storm: HeartbeatTimes
  readonly slowness: number
  readonly database: string
}): void {
  const ratio = storm.p99Ms / calm.p99Ms
  const verdict = storm.p99Ms <= p99BudgetMs ? 'held' : 'short'
  console.log(
    `  ${database}: heartbeats of others meanwhile ${text(storm)}, without that ${text(calm)}, a ratio of ${ratio.toFixed(2)}, budget ${p99BudgetMs} ms ${verdict}; machine ${slowness.toFixed(1)} times slower than an idle one`,
  )
  assert.deepEqual([calm.lost, storm.lost], [0, 0], 'heartbeats were not accepted')
  const maxMs = Math.max(budgetsMax * p99BudgetMs, ratioMax * calm.p99Ms) * slowness
  assert.ok(storm.p99Ms <= maxMs, 'heartbeats of others took too long')
}

function text({ p50Ms, p99Ms }: HeartbeatTimes): string {
  return `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
}
