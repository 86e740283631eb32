/** Kills the server between a flip and the receiver's answer to the alert about it. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { waitUntil } from '../proxy-checks.ts'
import { type AlertStand, windowS } from './alert-stand.ts'

/**
 * Kills the server once this many owners have received an alert, while other devices have just flipped or
 * are about to.
 */
const killedAfter = [0, 1, 5, 10]
const ownersInRound = 15
/** Devices go offline this long after each other, so that a kill meets each at a different stage. */
const apartMs = 200
/** The time from a flip to its alert. */
const gatherMs = 2000
/**
 * The longest time that a receiver takes to answer. Until then, the server does not know that the alert has
 * arrived.
 */
const slowMs = 600
const patienceMs = 60_000
/** Longer than a wrong second delivery would take. */
const restMs = 3000

export async function checkKills(stand: AlertStand): Promise<void> {
  const owners = await stand.makeOwners('killed', killedAfter.length * ownersInRound, 1)
  stand.receiver.beSlow(slowMs)
  let toldAgain = 0
  for (const [round, enough] of killedAfter.entries()) {
    const crew = owners.slice(round * ownersInRound, (round + 1) * ownersInRound)
    const startedMs = performance.now()
    for (const { devices } of crew) {
      assert.equal(await stand.beat(devices), 0)
      await wait(apartMs)
    }
    const countTold = () => crew.filter((owner) => stand.toldTo(owner).length > 0).length
    const flippedMs = startedMs + windowS * 1000 + gatherMs / 2
    await wait(Math.max(0, flippedMs - performance.now()))
    await waitUntil(async () => countTold() >= enough, 'the first owners get alerts', patienceMs)
    await stand.killServer('SIGKILL')
    const before = countTold()
    await stand.startServer()
    const kills = 1 + (round % 2)
    if (kills === 2) {
      await waitUntil(async () => countTold() > before, 'others get alerts', patienceMs)
      await stand.killServer('SIGKILL')
      await stand.startServer()
    }
    const areTold = async () => countTold() === ownersInRound
    await waitUntil(areTold, 'everybody gets an alert', patienceMs)
    await wait(restMs)
    const told = crew.map((owner) => stand.toldTo(owner))
    for (const [message, ...others] of told) {
      assert.deepEqual(others, [], 'two alerts about one flip')
      assert.ok(message !== undefined && message.calls <= 1 + kills, `${message?.calls} calls`)
    }
    const twice = told.filter(([message]) => (message?.calls ?? 0) > 1).length
    toldAgain += twice
    console.log(
      `  killed ${kills === 1 ? 'once' : 'twice'} after ${before} of ${ownersInRound} alerts had arrived: all arrived, ${twice} of them again with the same key`,
    )
  }
  stand.receiver.beSlow(0)
  assert.ok(toldAgain > 0, 'no kill came between an alert and its answer')
}
