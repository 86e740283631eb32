import {
  listOwnLocations,
  type OwnLocation,
  setOwnLocation,
} from '@astropelago/contract/check-locations'
import { createDeviceToken } from '@astropelago/contract/devices'
import { getRelayAgent } from '@astropelago/contract/relay-agent'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openPart } from '../../test/open-screen.tsx'
import { sampleToken, sampleUser as user } from '../../test/samples.ts'
import { LendCard } from './lend-card.tsx'

const id = 'device-of-nova'
const button = (name: string) => page.getByRole('button', { name })

const lending: OwnLocation = {
  device: id,
  isLending: true,
  consentedAt: '2026-01-02T03:04:05.000Z',
  region: 'Oslo',
  perHour: 120,
  checked: [
    { place: 'harbour.example:443', count: 240 },
    { place: 'game.example:25565', count: 12 },
  ],
}

/** The card of a device. What it says changes as on the server. */
async function open(given?: OwnLocation) {
  let location = given
  answerApi(listOwnLocations, () => {
    const body: OwnLocation[] = location === undefined ? [] : [location]
    return { status: 200, body }
  })
  const set = answerApi(setOwnLocation, ({ body }) => {
    location = { ...lending, perHour: null, checked: [], ...location, ...body }
    return { status: 204 }
  })
  await openPart(<LendCard device={{ id }} />, { path: '/', user })
  return set
}

test('a device lends once its owner has read that others see its IP address, and agreed', async () => {
  const set = await open()
  await expect
    .element(page.getByText('Owners of checked addresses see your IP address.'))
    .toBeVisible()
  await expectAccessible()
  await page.getByRole('textbox', { name: /^Region that others see/ }).fill('  Oslo ')
  await button('Agree and lend it').click()
  await expect.element(page.getByText(/no agent on this device is connected for it/)).toBeVisible()
  await expect.element(page.getByText(/Others see the region Oslo/)).toBeVisible()
  expect(set[0]).toMatchObject({
    params: { device: id },
    body: { isLending: true, region: 'Oslo' },
  })
})

test('the command that lends has a new token, which is shown once', async () => {
  answerApi(getRelayAgent, { status: 200, body: { version: '0.1.0', sha256: 'a'.repeat(64) } })
  const { token: _, ...token } = { token: '', ...sampleToken() }
  const made = answerApi(createDeviceToken, {
    status: 201,
    body: { ...token, scope: 'relay', token: 'apd_lent' },
  })
  await open({ ...lending, perHour: null })
  await button('Make the command').click()
  await expect.element(page.getByText(/apd_lent/)).toBeVisible()
  await expect
    .element(page.getByText(/node agent\.mjs --server '?http\S+ --lend --token-file relay-token/))
    .toBeVisible()
  expect(made[0]?.body).toMatchObject({ deviceId: id, scope: 'relay' })
  await expectNoSidewaysScroll()
})

test('its owner sees whom it looks at and how often, and ends it with one press', async () => {
  const set = await open(lending)
  await expect.element(page.getByText(/looks at most 120 times an hour/)).toBeVisible()
  const rows = page.getByRole('table').getByRole('row')
  await expect.element(rows.nth(1)).toMatchTextContent('harbour.example:443240')
  await expect.element(rows.nth(2)).toMatchTextContent('game.example:2556512')
  await expectAccessible()
  await button('Stop looking').click()
  await expect.element(button('Agree and lend it')).toBeVisible()
  expect(set[0]?.body).toEqual({ isLending: false, region: 'Oslo' })
})

test('a refusal is shown', async () => {
  await open()
  answerApi(setOwnLocation, refused('demo_account'))
  await button('Agree and lend it').click()
  await expect.element(page.getByRole('alert')).toBeVisible()
})
