import { errors } from '@astropelago/contract/errors'
import { listOwnChecks } from '@astropelago/contract/checks'
import { listOwnDevices } from '@astropelago/contract/devices'
import { listOwnIslands } from '@astropelago/contract/islands'
import {
  getStatusPageSettings,
  type StatusPageSettings,
  updateStatusPage,
} from '@astropelago/contract/status-pages'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openPart } from '../../test/open-screen.tsx'
import { sampleDraft } from '../../test/sample-island.ts'
import { sampleCheck, sampleDevice, sampleUser } from '../../test/samples.ts'
import { StatusPagePart } from './status-page-part.tsx'

const card = page.getByRole('region', { name: 'Status page' })
const isOn = card.getByRole('checkbox', { name: 'Show my status page to everybody' })
const devices = page.getByRole('region', { name: 'Devices on the page' })
const items = devices.getByRole('listitem')
const framing = page.getByRole('region', { name: 'In a frame' })

const own = [
  sampleDevice({ id: 'pi', label: 'Pi' }),
  sampleDevice({ id: 'roof', label: 'Roof' }),
  sampleDevice({ id: 'cellar', label: 'Cellar', visibility: 'private' }),
]

/** Opens the status page settings, with changes kept as the server keeps them. */
async function openStatusPage(chosen: Partial<StatusPageSettings> = {}) {
  let settings: StatusPageSettings = {
    isOn: false,
    title: null,
    devices: [],
    islands: [],
    checks: [],
    frameHosts: [],
    ...chosen,
  }
  answerApi(getStatusPageSettings, () => ({ status: 200, body: settings }))
  answerApi(listOwnDevices, { status: 200, body: own })
  answerApi(listOwnIslands, { status: 200, body: [sampleDraft({ name: 'Draft' })] })
  answerApi(listOwnChecks, {
    status: 200,
    body: [sampleCheck(), sampleCheck({ id: 'nas', name: 'NAS', visibility: 'private' })],
  })
  const changes = answerApi(updateStatusPage, ({ body }) => {
    settings = { ...settings, ...body }
    return { status: 200, body: settings }
  })
  await openPart(<StatusPagePart />, { user: sampleUser })
  await expect.element(isOn).toBeVisible()
  return { changes: () => changes.map(({ body }) => body) }
}

describe('the status page in Account', () => {
  test('has an address once it is turned on', async () => {
    const { changes } = await openStatusPage()
    expect(card.getByText(/\/status\//).length).toBe(0)
    await isOn.click()
    await expect
      .element(card.getByText(new RegExp(`/status/${sampleUser.username}$`)))
      .toBeVisible()
    await expect
      .element(card.getByRole('link', { name: 'Open the page' }))
      .toHaveAttribute('href', `/status/${sampleUser.username}`)
    expect(changes()).toEqual([{ isOn: true }])
  })

  test('orders devices by buttons and keys', async () => {
    const { changes } = await openStatusPage({ devices: ['cellar', 'pi'] })
    await expect
      .element(items.nth(0))
      .toMatchTextContent(/^Cellar ?Not on the page now, because it is not public/)
    // Private devices are not offered.
    const add = devices.getByRole('combobox', { name: 'Add a device' })
    await expect.element(add).toHaveTextContent('Roof')
    await devices.getByRole('button', { name: 'Add' }).click()
    await expect.element(items.nth(2)).toHaveTextContent('Roof')
    const up = devices.getByRole('button', { name: 'Move Roof up' })
    await up.click()
    await userEvent.keyboard('{Enter}')
    await expect.element(items.nth(0)).toHaveTextContent('Roof')
    await expect.element(up).toHaveFocus()
    await expect.element(devices.getByText('Roof is now 1 of 3.')).toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    await devices.getByRole('button', { name: 'Take Cellar off' }).click()
    await expect.element(items.nth(1)).toHaveTextContent('Pi')
    await expect
      .element(devices.getByText('Cellar was taken off. Left on the page: 2.'))
      .toBeInTheDocument()
    expect(changes()).toEqual([
      { devices: ['cellar', 'pi', 'roof'] },
      { devices: ['cellar', 'roof', 'pi'] },
      { devices: ['roof', 'cellar', 'pi'] },
      { devices: ['roof', 'pi'] },
    ])
  })

  test('announces additions and focuses the heading when nothing is left to add', async () => {
    await openStatusPage({ devices: ['cellar'] })
    const add = devices.getByRole('button', { name: 'Add' })
    await add.click()
    await expect
      .element(devices.getByText('Pi was added at the end, as number 2.'))
      .toBeInTheDocument()
    await expect.element(add).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect
      .element(devices.getByText('Roof was added at the end, as number 3.'))
      .toBeInTheDocument()
    await expect.element(add).not.toBeInTheDocument()
    await expect
      .element(devices.getByRole('heading', { name: 'Devices on the page' }))
      .toHaveFocus()
  })

  test('offers public checks', async () => {
    const { changes } = await openStatusPage()
    const checks = page.getByRole('region', { name: 'Checks on the page' })
    const add = checks.getByRole('combobox', { name: 'Add a check' })
    await expect.element(add).toHaveTextContent('Website')
    expect(add.getByText('NAS').length).toBe(0)
    await checks.getByRole('button', { name: 'Add' }).click()
    await expect.element(checks.getByRole('listitem')).toHaveTextContent('Website')
    expect(changes()).toEqual([{ checks: ['website'] }])
  })

  test('explains why there is no island to choose', async () => {
    await openStatusPage()
    const islands = page.getByRole('region', { name: 'Islands on the page' })
    await expect.element(islands.getByText(/you host none/)).toBeVisible()
  })

  test('accepts hosts for frames, refuses others, and shows the HTML', async () => {
    const { changes } = await openStatusPage({ isOn: true })
    const hosts = framing.getByRole('textbox', { name: 'Hosts (optional)' })
    const save = framing.getByRole('button', { name: 'Save hosts' })
    await hosts.fill('https://wall.example.org/')
    await save.click()
    await expect.element(framing.getByRole('alert')).toMatchTextContent(/^Name a host such as/)
    await expect.element(hosts).toHaveFocus()
    await hosts.fill('wall.example.org\n*.example.net')
    await save.click()
    await expect.element(framing.getByText(/<iframe src="http.*\/status\//)).toBeVisible()
    expect(changes()).toEqual([{ frameHosts: ['wall.example.org', '*.example.net'] }])
    await expectAccessible()
  })

  test('accepts a title or none', async () => {
    const { changes } = await openStatusPage({ title: 'Cellar' })
    const title = card.getByRole('textbox', { name: 'Title (optional)' })
    const save = card.getByRole('button', { name: 'Save title' })
    await expect.element(title).toHaveValue('Cellar')
    await title.fill('  ')
    await save.click()
    await expect.element(page.getByText('Title saved')).toBeVisible()
    await title.fill('x'.repeat(65))
    await save.click()
    await expect.element(card.getByRole('alert')).toMatchTextContent(/^A title has 1 to 64/)
    expect(changes()).toEqual([{ title: null }])
  })

  test('rolls back a failed change and shows the error', async () => {
    await openStatusPage()
    answerApi(updateStatusPage, refused('rate_limited'))
    await isOn.click()
    await expect.element(card.getByRole('alert')).toHaveTextContent(errors.rate_limited.sentence)
    await expect.element(isOn).not.toBeChecked()
  })

  test('reports a failed load', async () => {
    answerApi(getStatusPageSettings, refused('rate_limited'))
    await openPart(<StatusPagePart />, { user: sampleUser })
    await expect.element(page.getByText('Your status page could not be loaded.')).toBeVisible()
  })

  test('is not available to demo users', async () => {
    await openPart(<StatusPagePart />, { user: { ...sampleUser, isDemo: true } })
    await expect.element(card.getByText(errors.demo_account.sentence)).toBeVisible()
  })
})
