/** Stops the server for an hour, and checks that users get no false alerts. */
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { waitUntil } from '../proxy-checks.ts'
import { type AlertStand, type Owner, windowS } from './alert-stand.ts'

const hourMs = 3_600_000
const patienceMs = 75_000

export async function checkHourAway(stand: AlertStand, owners: readonly Owner[]): Promise<void> {
  const devices = owners.flatMap((owner) => owner.devices)
  assert.equal(await stand.beat(devices), 0)
  await stand.killServer('SIGTERM')
  const counts = () => owners.map((owner) => stand.toldTo(owner).length)
  const before = counts()
  await stand.startServer({ aheadMs: hourMs })
  const untilMs = performance.now() + 2 * windowS * 1000
  while (performance.now() < untilMs) {
    assert.equal(await stand.beat(devices), 0)
    await wait(500)
  }
  assert.deepEqual(counts(), before, 'somebody got a false alert')
  // The receivers do work: now that the devices are silent, their owners get alerts.
  const areTold = async () => counts().every((count, at) => count > (before[at] ?? 0))
  await waitUntil(areTold, 'everybody gets an alert', patienceMs)
  console.log(
    `  the server was down for an hour: nobody got an alert about any of ${devices.length} devices before they went offline`,
  )
}
