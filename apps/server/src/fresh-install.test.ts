import { expect, test } from 'vitest'
import { copiedTables } from './storage/copy/copied-tables.ts'
import { createTestApp } from './test/create-test-app.ts'

/** What a server records about its own run: times and positions. */
const ownNotes = new Set([
  'alert_cursors',
  'alive_mark',
  'presence_event_cursors',
  'outages',
  'unobserved',
  'warning_changes',
])
/** Random, and therefore different in each install. */
const madeAtStart = ['push_keys', 'installation'] as const

test('S8 a new server has no user and no secret that two installations could share', async () => {
  const { storage } = await createTestApp({})
  const filled: string[] = []
  for (const { name } of copiedTables) {
    const row = await storage.db.selectFrom(name).selectAll().limit(1).executeTakeFirst()
    if (row !== undefined && !ownNotes.has(name)) filled.push(name)
  }
  expect(filled).toEqual(madeAtStart)
})

test('CH4 S8 each installation makes its own keys at its first start', async () => {
  const keys = await Promise.all(
    [1, 2].map(async () => {
      const { db } = (await createTestApp({})).storage
      const push = await db.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow()
      const { private_key } = await db
        .selectFrom('installation')
        .select('private_key')
        .executeTakeFirstOrThrow()
      const own = Buffer.from(private_key).toString('base64')
      return [push.public_key, push.private_key, own]
    }),
  )
  expect(new Set(keys.flat()).size).toBe(6)
})
