import type { Status } from '@astropelago/contract/devices'
import { movableClock, type MovableClock } from '../../../test/movable-clock.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import type { PresenceStore } from '../presence-store.ts'
import { Presence, tickMs } from '../presence.ts'
import { presenceStore } from '../presence-feature.ts'

export const windowMs = 300_000

/** Presence on a real database. It can be reloaded, and some of its calls can be replaced. */
export async function setUpPresence() {
  const storage = await openTestStorage()
  const { db } = storage
  const clock = movableClock()
  const store = presenceStore(storage)
  /** What listeners received: the status, and the devices that have it now. */
  const flips: (readonly [status: Status, ...deviceKeys: number[]])[] = []
  const warnings: string[] = []
  const load = async (overrides: Partial<PresenceStore> = {}, window = windowMs) => {
    const presence = await Presence.load({
      store: { ...store, ...overrides },
      clock: clock.now,
      windowMs: window,
      log: { warn: (_details, text) => warnings.push(text) },
    })
    presence.listen((keys, status) => flips.push([status, ...keys]))
    return presence
  }
  return { db, clock, store, flips, warnings, load, presence: await load() }
}

/** Lets time pass as it does for a server that ticks. */
export async function pass(presence: Presence, clock: MovableClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += tickMs) {
    clock.move(Math.min(tickMs, ms - passed))
    await presence.tick()
  }
}
