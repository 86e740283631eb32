import type { OwnIsland } from '@astropelago/contract/islands'
import { expect, test } from 'vitest'
import { islandDetails, publishTestIsland, viewIsland } from '../../test/api-islands.ts'
import { createTestApp } from '../../test/create-test-app.ts'

const openly = { access: 'public', isListed: true } as const

test('an account’s export has its islands, which are deleted with it', async () => {
  const { signUp, inject } = await createTestApp()
  const [host, guest] = [await signUp('Nova'), await signUp('Vega')]
  const { id, slug } = await publishTestIsland(host, openly, { picture: 77, rules: 'Be kind.' })
  const theirs = await publishTestIsland(guest, openly)
  await guest.inject({
    method: 'PATCH',
    url: `/api/islands/${theirs.id}`,
    payload: { neighbours: [slug] },
  })
  expect((await host.inject({ url: '/api/me/data' })).json()).toContainEqual({
    kind: 'islands',
    count: 1,
    text: '1 island with its members, invitations and log',
  })
  const { islands } = (await host.inject({ url: '/api/me/export' })).json<{
    islands: OwnIsland[]
  }>()
  expect(islands).toMatchObject([
    { id, slug, picture: 77, name: islandDetails.name, about: 'Come in.', rules: 'Be kind.' },
  ])
  const payload = { password: 'correct horse battery' }
  await host.inject({ method: 'POST', url: '/api/me/delete', payload })
  expect(await viewIsland({ inject }, slug)).toBeUndefined()
  expect((await viewIsland(guest, theirs.slug))?.neighbours).toEqual([])
})
