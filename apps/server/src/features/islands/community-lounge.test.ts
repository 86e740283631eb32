import { loungeSlug } from '@astropelago/contract/pages'
import { expect, test } from 'vitest'
import { makeTestIsland, viewIsland } from '../../test/api-islands.ts'
import { createTestApp } from '../../test/create-test-app.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'

test('every installation starts with the Community Lounge, which belongs to no user', async () => {
  const { inject, signUp } = await createTestApp({ makesLounge: true })
  const lounge = { role: 'visitor', name: 'Community Lounge', door: 'public', isListed: true }
  expect(await viewIsland({ inject }, loungeSlug)).toMatchObject({
    ...lounge,
    host: null,
    address: null,
    isOpen: false,
  })
  expect(await viewIsland(await signUp(), loungeSlug)).toMatchObject({ role: 'guest' })
})

test('another start makes no other one, even where it was closed', async () => {
  const storage = await openTestStorage()
  const { inject } = await createTestApp({ storage, makesLounge: true })
  const first = await viewIsland({ inject }, loungeSlug)
  const second = await createTestApp({ storage, makesLounge: true })
  expect(await viewIsland(second, loungeSlug)).toEqual(first)
  await storage.db.deleteFrom('islands').execute()
  const third = await createTestApp({ storage, makesLounge: true })
  expect(await viewIsland(third, loungeSlug)).toBeUndefined()
})

test('S60 nobody else has its address, or one like it', async () => {
  const { signUp } = await createTestApp()
  const host = await signUp()
  for (const slug of [loungeSlug, 'the-trave1ers-tavern']) {
    await expect(makeTestIsland(host, { slug })).rejects.toThrow('one of the site’s own')
  }
})
