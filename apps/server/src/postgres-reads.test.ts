import { expect, onTestFinished, test } from 'vitest'
import { joinTestIsland, leaveTestNote, publishTestIsland } from './test/api-islands.ts'
import { createTestApp } from './test/create-test-app.ts'
import { insertUser } from './test/factories.ts'

test('reads of islands, their logs and the search wait for no write', async () => {
  const { signUp, storage } = await createTestApp()
  const [host, member] = [await signUp('Nova'), await signUp('Vega')]
  const { id, slug } = await publishTestIsland(host, { access: 'public', isListed: true })
  await joinTestIsland(member, id)
  await leaveTestNote(member, id)

  const held = Promise.withResolvers<void>()
  onTestFinished(() => held.resolve())
  const begun = Promise.withResolvers<void>()
  const writing = storage.db.transaction().execute(async (transaction) => {
    await insertUser(transaction)
    begun.resolve()
    await held.promise
  })
  await begun.promise
  for (const url of [
    '/api/islands',
    '/api/islands/signals',
    `/api/islands/by-slug/${slug}`,
    `/api/islands/${id}/log`,
    `/api/islands/${id}/members`,
    '/api/me/islands',
    '/api/me/memberships',
    '/api/me/activity',
    '/api/search?q=harbor',
  ]) {
    const { statusCode } = await member.inject({ url })
    expect([url, statusCode]).toEqual([url, 200])
  }
  held.resolve()
  await writing
})
