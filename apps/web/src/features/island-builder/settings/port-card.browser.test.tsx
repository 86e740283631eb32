import {
  getIslandPort,
  giveBackIslandPort,
  type IslandPort,
  takeIslandPort,
} from '@astropelago/contract/relay-ports'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { PortCard } from './port-card.tsx'

const card = page.getByRole('region', { name: 'Games and other programs' })
const button = (name: string) => card.getByRole('button', { name, exact: true })
const none: IslandPort = {
  address: null,
  letIn: null,
  own: { isOffered: true, isListening: false },
}
const taken: IslandPort = {
  address: 'harbour-tales.islands.example:25001',
  letIn: null,
  own: { isOffered: true, isListening: true },
}
const answerPort = (body: IslandPort) => answerApi(getIslandPort, { status: 200, body })

async function openCard(access: 'public' | 'members' | 'invited' = 'public') {
  await openPart(<PortCard island={{ id: 'harbour', access }} />, { user: sampleUser })
}

test('a host gets a port, sees its address, and gives it back', async () => {
  await page.viewport(360, 900)
  answerPort(none)
  answerApi(takeIslandPort, { status: 200, body: taken })
  const given = answerApi(giveBackIslandPort, { status: 204 })
  await openCard()
  await button('Get a port').click()
  await expect.element(card).toMatchTextContent('harbour-tales.islands.example:25001')
  await expect.element(card).toMatchTextContent('Everybody who has this address can connect.')
  await expect.element(card).toMatchTextContent('--tcp localhost:25565')
  await expect.element(page.getByText('Your island has a port')).toBeVisible()
  await expect.element(card).toHaveFocus()
  expect(document.documentElement.scrollWidth).toBe(360)
  await expectAccessible()

  await button('Give the port back').click()
  await expect.element(button('Keep it')).toHaveFocus()
  expect(given).toHaveLength(0)
  await button('Give it back').click()
  await expect.element(button('Get a port')).toBeVisible()
  await expect.element(card).toHaveFocus()
  expect(given).toHaveLength(1)
})

test.each([
  ['members', 'Everybody who is signed in can connect if they opened'],
  ['invited', 'People you let in can connect if they opened'],
] as const)('behind a door for %s it says who can connect', async (access, text) => {
  answerPort(taken)
  await openCard(access)
  await expect.element(card).toMatchTextContent(text)
})

test('a refused port and one that does not listen are explained', async () => {
  answerPort(none)
  answerApi(takeIslandPort, refused('no_free_port'))
  await openCard()
  await button('Get a port').click()
  await expect
    .element(card.getByRole('alert'))
    .toMatchTextContent('All ports of this server are taken')
  answerApi(takeIslandPort, {
    status: 200,
    body: { ...taken, own: { isOffered: true, isListening: false } },
  })
  await button('Get a port').click()
  await expect.element(card).toMatchTextContent('Nobody can connect there right now')
  await expect.element(card.getByRole('alert')).not.toBeInTheDocument()
})

test('a server without ports offers none', async () => {
  const asked = answerPort({ ...none, own: { isOffered: false, isListening: false } })
  await openCard()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await expect.element(card).not.toBeInTheDocument()
})
