import { getIslandPort, type IslandPort } from '@astropelago/contract/relay-ports'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { answerRelay } from '../../test/answer-relay.ts'
import { sampleView } from '../../test/sample-island.ts'
import { sampleUser } from '../../test/samples.ts'
import { islandParts as parts, openIsland } from './testing/open-island.tsx'

const part = page.getByRole('region', { name: 'For games and other programs' })
const relayed = { isRelayed: true, address: 'http://harbor-light.localhost:3000/' } as const
const port: IslandPort = {
  address: 'harbor-light.islands.example:25001',
  letIn: { network: '2001:db8:1:2::/64', until: '2099-01-02T03:04:00.000Z' },
  own: null,
}
const answerPort = (body: IslandPort) => answerApi(getIslandPort, { status: 200, body })

test('viewers who may enter read and copy the address for games, and see until when it works', async () => {
  await page.viewport(360, 900)
  answerPort(port)
  await openIsland(sampleView({ ...relayed, access: 'members' }), { user: sampleUser })
  await expect.element(part).toMatchTextContent('harbor-light.islands.example:25001')
  await expect
    .element(part)
    .toMatchTextContent('your network, 2001:db8:1:2::/64, until Jan 2, 2099, 03:04')
  await expect
    .element(part.getByRole('button', { name: 'Copy the address for games' }))
    .toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(360)
  await expectAccessible()
})

test('a public island says nothing about networks', async () => {
  answerPort({ ...port, letIn: null })
  await openIsland(sampleView(relayed))
  await expect.element(part).toMatchTextContent(':25001')
  await expect.element(part).not.toMatchTextContent('network')
})

test('an island without a port shows nothing', async () => {
  const asked = answerPort({ address: null, letIn: null, own: null })
  await openIsland(sampleView(relayed))
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await expect.element(parts.enter).toBeVisible()
  await expect.element(part).not.toBeInTheDocument()
})

test.each([
  ['has a link of its own', {}],
  ['may not be entered', { ...relayed, mayEnter: false, address: null }],
])('an island that %s sends no request for a port', async (_, details) => {
  const asked = answerPort(port)
  await openIsland(sampleView(details), { user: sampleUser })
  await expect.element(parts.members).toBeVisible()
  expect(asked).toHaveLength(0)
})

test('only the host learns that nobody can connect', async () => {
  answerRelay()
  answerPort({ ...port, own: { isOffered: true, isListening: false } })
  await openIsland(sampleView({ ...relayed, role: 'host' }), { user: sampleUser })
  await expect.element(part).toMatchTextContent('Nobody can connect there right now')
})

test('changes show at once, and a failed load can be tried again', async () => {
  answerApi(getIslandPort, refused('rate_limited'))
  const { stream, server } = await openIsland(sampleView(relayed), { user: sampleUser })
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  answerPort({ address: null, letIn: null, own: null })
  await again.click()
  await expect.element(again).not.toBeInTheDocument()
  await expect.poll(() => stream.open()).toBe(1)
  answerPort(port)
  stream.tell({ type: 'island-changed', payload: { id: server.view?.id ?? '' } })
  await expect.element(part).toMatchTextContent(':25001')
})
