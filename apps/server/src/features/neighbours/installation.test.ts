import { expect, test } from 'vitest'
import { movableClock } from '../../test/movable-clock.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { openInstallation } from './installation.ts'
import { sqlInstallationStore } from './sql-installation-store.ts'
import { leadsTo } from './statements.ts'

const address = 'https://sky.example'

async function setUp() {
  const clock = movableClock()
  const store = sqlInstallationStore(await openTestStorage())
  const open = () => openInstallation(store, { address, clock: clock.now })
  return { clock, open }
}

test('[F1] an installation has one key, whoever opens it', async () => {
  const { open } = await setUp()
  const [one, other] = [await open(), await open()]
  expect((await one.read()).signer.key).toBe((await other.read()).signer.key)
})

test('[F6] each epoch of the live feed has a larger number than those before', async () => {
  const { clock, open } = await setUp()
  const { read, ensureEpoch } = await open()
  expect((await read()).epochOf('a')).toBeUndefined()
  await ensureEpoch('a')
  const first = (await read()).epochOf('a')
  await ensureEpoch('a')
  expect((await read()).epochOf('a')).toBe(first)
  clock.move(1000)
  await ensureEpoch('b')
  const second = (await read()).epochOf('b')
  expect(second).toBe(clock.now())
  clock.move(-86_400_000)
  await ensureEpoch('c')
  expect((await read()).epochOf('c')).toBe((second ?? 0) + 1)
  expect((await read()).epochOf('b')).toBeUndefined()
})

test('[F8] a new key follows the last one', async () => {
  const { open } = await setUp()
  const { read, changeKey } = await open()
  const first = { key: (await read()).signer.key, keyNumber: 1 }
  for (let at = 0; at < 25; at += 1) await changeKey()
  const { signer, keyNumber, keyChanges } = await read()
  expect([keyNumber, keyChanges.length]).toEqual([26, 20])
  const last = { key: signer.key, keyNumber }
  const [{ oldKey, number } = { oldKey: '', number: 0 }] = keyChanges
  expect(leadsTo(keyChanges, { key: oldKey, keyNumber: number - 1 }, last, address)).toBe(true)
  expect(leadsTo(keyChanges, first, last, address)).toBe(false)
})
