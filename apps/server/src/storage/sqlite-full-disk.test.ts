import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deviceDetails, listOwnDevices, registerTestDevice } from '../test/api-devices.ts'
import { createTestApp, type TestApp, type TestBrowser } from '../test/create-test-app.ts'
import { StorageUnavailable } from './storage-error.ts'

/** Fills the disk, as far as the database can tell. */
async function fillDisk({ db }: TestApp['storage']): Promise<void> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  await sql.raw(`pragma max_page_count = ${rows[0]?.page_count ?? 1}`).execute(db)
  // Uses up the room in the last page, too.
  for (let left = 4096; left > 0; left = Math.floor(left / 2)) {
    await sql`update users set avatar = avatar || ${'x'.repeat(left)}`.execute(db).catch(isFull)
  }
}

function isFull(error: unknown): void {
  if (!(error instanceof StorageUnavailable)) throw error
}

async function makeRoom({ db }: TestApp['storage']): Promise<void> {
  await sql.raw('pragma max_page_count = 1000000').execute(db)
}

async function registerUntilRefused({ inject }: TestBrowser) {
  let acknowledged = 0
  for (;;) {
    const payload = { ...deviceDetails, link: `https://a.example/${'x'.repeat(2000)}` }
    const response = await inject({ method: 'POST', url: '/api/devices/register', payload })
    if (response.statusCode !== 201) return { acknowledged, response }
    acknowledged += 1
  }
}

test('S44 on a full disk calls get 503 with Retry-After, nothing is lost, and service returns without a restart', async () => {
  const { signUp, storage } = await createTestApp()
  const owner = await signUp()
  const before = (await listOwnDevices(owner)).length
  await fillDisk(storage)
  const { acknowledged, response } = await registerUntilRefused(owner)
  expect(response.statusCode).toBe(503)
  expect(response.json()).toMatchObject({ code: 'overloaded' })
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  expect(response.body).not.toMatch(/disk|sqlite/i)
  expect(await listOwnDevices(owner)).toHaveLength(before + acknowledged)

  await makeRoom(storage)
  await registerTestDevice(owner)
  expect(await listOwnDevices(owner)).toHaveLength(before + acknowledged + 1)
})
