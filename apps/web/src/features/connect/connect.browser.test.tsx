import { getMe } from '@astropelago/contract/me'
import { createDeviceToken, registerDevice } from '@astropelago/contract/devices'
import { errors } from '@astropelago/contract/errors'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { type Locator, page, userEvent } from 'vitest/browser'
import {
  expectAccessible,
  expectAccessibleOnDesktop,
  expectNoSidewaysScroll,
} from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { holdTime } from '../../test/emulation.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleDevice, sampleUser } from '../../test/samples.ts'
import { deviceFormParts } from '../../devices/testing/device-form-parts.ts'
import {
  answerConnect,
  connectPath,
  givenToken,
  openConnect,
  steps,
} from './testing/open-connect.tsx'

const { choose, generate, install, shownToken, tab, token, tryNow, watch } = steps
const form = deviceFormParts(choose)
const create = choose.getByRole('button', { name: 'Create device' })
const figures = install.getByRole('figure')
const typedPi = { label: 'Harbour Pi', lat: '48.2', lon: '16.4', link: 'https://pi.example/' }
const connectionFailed = 'The connection failed. Check it and try again.'
const ways = ['Linux', 'macOS', 'Windows', 'Other ways']

test('there are four steps; without a device the form is open, and the others wait', async () => {
  await openConnect()
  await expect.element(form.label).toBeVisible()
  const headings = page.getByRole('heading', { level: 2 }).elements()
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    '1. Select or create a device',
    '2. Generate a device token',
    '3. Install the heartbeat command',
    '4. Watch the device appear online',
  ])
  await expect.poll(() => document.title).toBe('Connect Device · Astropelago')
  await expect.element(token).toMatchTextContent('Select a device')
  for (const locked of [token, install, watch]) {
    expect(locked.getByRole('button').length).toBe(0)
  }
})

describe('the device', () => {
  test('a created one is in the list with the first 6 characters of its id, its label and unknown, and is selected', async () => {
    const { devices, feed } = await openConnect()
    await expect.element(form.isPublic).toBeChecked()
    await form.enter(typedPi)
    await create.click()
    const choice = choose.getByRole('radio', { name: /Harbour Pi/ })
    await expect.element(choice).toBeChecked()
    const id = new URL(window.location.href).searchParams.get('device') ?? ''
    expect(devices).toMatchObject([{ id, label: 'Harbour Pi', lat: 48.2, lon: 16.4 }])
    await expect.element(choice).toHaveAccessibleName(`Harbour Pi ${id.slice(0, 6)} unknown`)
    await expect.element(generate).toBeVisible()
    expect(figures.length).toBe(0)
    await expect.element(watch).toMatchTextContent('Waiting for Harbour Pi')
    await expect.poll(() => feed.open()).toBe(1)
  })

  test('a refusal reads create_failed with an explanation, at its field, and keeps the input', async () => {
    await openConnect()
    const fields = { lat: 'No lat.', lon: 'No lon.', link: 'No link.' }
    answerApi(registerDevice, refused('invalid_device', fields))
    const typed = { label: 'Harbour Pi', lat: '91', lon: '200', link: 'javascript:alert(1)' }
    await form.enter(typed)
    await create.click()
    await expect
      .element(form.alerts.filter({ hasText: 'create_failed' }))
      .toHaveTextContent(`create_failed: ${errors.invalid_device.sentence}`)
    for (const name of ['lat', 'lon', 'link'] as const) {
      await expect.element(form[name]).toHaveAccessibleDescription(new RegExp(`^${fields[name]}`))
    }
    expect(form.typed()).toEqual(typed)
  })

  test('one that gets no answer reads create_failed, says why, and can be retried', async () => {
    await openConnect()
    answerApi(registerDevice, 'dropped')
    await form.enter(typedPi)
    await create.click()
    await expect.element(form.alerts).toHaveTextContent(`create_failed: ${connectionFailed}`)
    expect(form.typed()).toEqual(typedPi)
    const { feed } = answerConnect()
    await create.click()
    await expect.element(choose.getByRole('radio', { name: /Harbour Pi/ })).toBeChecked()
    await expect.poll(() => feed.open()).toBe(1)
  })

  test('the selected device is in the address; choosing another does not check the session', async () => {
    const [first, second] = [sampleDevice({ label: 'First' }), sampleDevice({ label: 'Second' })]
    await openConnect([first, second], first)
    await expect.element(choose.getByRole('radio', { name: /First/ })).toBeChecked()
    const checks = answerApi(getMe, { status: 200, body: { user: sampleUser } })
    const pages = window.history.length
    await choose.getByText('Second').click()
    await expect.element(token).toMatchTextContent('Second')
    expect(window.location.pathname + window.location.search).toBe(connectPath(second))
    expect(window.history.length).toBe(pages)
    expect(checks).toEqual([])
  })

  test('the only one has the focus: one press selects it', async () => {
    for (const key of ['{Enter}', ' ']) {
      await openConnect([sampleDevice({ label: 'Lighthouse' })])
      const only = choose.getByRole('radio')
      await expect.element(only).toHaveFocus()
      await expect.element(only).not.toBeChecked()
      await userEvent.keyboard(key)
      await expect.element(only).toBeChecked()
      await expect.element(generate).toBeVisible()
      await cleanup()
    }
  })

  test('an address with somebody else’s device selects nothing', async () => {
    await openConnect([sampleDevice()], sampleDevice({ label: 'Somebody’s' }))
    await expect.element(choose.getByRole('radio')).not.toBeChecked()
    await expect.element(token).toMatchTextContent('Select a device')
  })

  test('a button opens the form for another device, and Cancel closes it', async () => {
    await openConnect([sampleDevice()])
    const button = choose.getByRole('button', { name: 'Create a device' })
    await button.click()
    await expect.element(form.label).toHaveFocus()
    await choose.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(form.label).not.toBeInTheDocument()
    await expect.element(button).toHaveFocus()
  })
})

describe('what is typed', () => {
  const half = { label: 'Harbour Pi', lat: '48.2', lon: '', link: 'https://pi' }

  test('is there after a reload, beside other devices too, and gone once it is sent', async () => {
    await openConnect()
    await form.enter(half)
    await form.isPrivate.click()
    await cleanup()
    const { registered } = await openConnect([sampleDevice()])
    await expect.element(form.isPrivate).toBeChecked()
    expect(form.typed()).toEqual(half)
    await form.enter(typedPi)
    await create.click()
    await expect.poll(() => registered).toHaveLength(1)
    await cleanup()
    await openConnect()
    await expect.element(form.isPublic).toBeChecked()
    expect(form.typed()).toEqual({ label: '', lat: '', lon: '', link: '' })
  })

  test('is gone after Cancel; what is no draft is none', async () => {
    await openConnect([sampleDevice()])
    await choose.getByRole('button', { name: 'Create a device' }).click()
    await form.enter(half)
    await choose.getByRole('button', { name: 'Cancel' }).click()
    expect(window.sessionStorage).toHaveLength(0)
    window.sessionStorage.setItem('astropelago.draft.connect-device.v1', '{"label":7}')
    await cleanup()
    await openConnect([sampleDevice()])
    await expect.element(choose.getByRole('radio')).toBeVisible()
    await expect.element(form.label).not.toBeInTheDocument()
  })
})

describe('the token', () => {
  test('[S19] it is shown once, and is in no address, storage or later page', async () => {
    const device = sampleDevice()
    answerConnect(device)
    await openScreen(connectPath(device), { user: sampleUser })
    await generate.click()
    await expect.element(shownToken).toHaveTextContent(givenToken)
    await expect.element(token).toMatchTextContent('This token is shown only once.')
    const { href } = window.location
    const kept = [href, window.history.state, localStorage, sessionStorage]
    expect(JSON.stringify([...kept, document.cookie])).not.toContain(givenToken)

    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await expect.element(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible()
    window.history.back()
    await expect.element(generate).toBeVisible()
    expect(document.documentElement.outerHTML).not.toContain(givenToken)
    expect(figures.length).toBe(0)
  })

  test('it carries the label that was typed, and another one can be made', async () => {
    const device = sampleDevice()
    await openConnect([device], device)
    const asked = answerApi(createDeviceToken, ({ body: { label, scope } }) => ({
      status: 201,
      body: { id: crypto.randomUUID(), token: givenToken, label, scope },
    }))
    await token.getByLabelText(/^Token label/).fill(' roof ')
    await generate.click()
    await expect.element(shownToken).toBeVisible()
    await expect.element(token.getByLabelText(/^Token label/)).toHaveValue('')
    await token.getByRole('button', { name: 'Generate another token' }).click()
    await expect
      .poll(() => asked)
      .toMatchObject([
        { body: { deviceId: device.id, label: 'roof' } },
        { body: { deviceId: device.id, label: null } },
      ])
  })

  test('a label that the server would refuse shows the server’s error when the field is left', async () => {
    const device = sampleDevice()
    await openConnect([device], device)
    const label = token.getByLabelText(/^Token label/)
    await label.fill('x'.repeat(65))
    await expect.element(label).not.toHaveAccessibleDescription(/64/)
    await userEvent.tab()
    await expect.element(label).toHaveAccessibleDescription(/^A label has 1 to 64 characters/)
  })

  test.each([
    ['no answer', 'dropped', `token_failed: ${connectionFailed}`],
    ['a refusal', refused('token_limit'), errors.token_limit.sentence],
  ] as const)('%s is reported, keeps the input, and can be retried', async (_, reply, text) => {
    const device = sampleDevice()
    await openConnect([device], device)
    answerApi(createDeviceToken, reply)
    const label = token.getByLabelText(/^Token label/)
    await label.fill('roof')
    await generate.click()
    await expect.element(token.getByRole('alert')).toHaveTextContent(text)
    await expect.element(label).toHaveValue('roof')
    await expect.element(shownToken).not.toBeInTheDocument()
    answerConnect(device)
    await generate.click()
    await expect.element(shownToken).toBeVisible()
  })
})

describe('the commands', () => {
  test('they carry the token and the address that the page names as the public one', async () => {
    const meta = document.createElement('meta')
    meta.name = 'public-url'
    meta.content = 'https://sky.example'
    document.head.append(meta)
    onTestFinished(() => meta.remove())
    await openWithToken()
    await expect
      .element(tryNow)
      .toMatchTextContent('https://sky.example/api/devices/heartbeat-token')
    await expect.element(tryNow).toMatchTextContent(givenToken)
    await expect.element(install).not.toMatchTextContent(window.location.origin)
  })

  test('the copy button of the token copies exactly its text', async () => {
    await openWithToken()
    expect(await copied(token.getByRole('figure'))).toBe(givenToken)
  })

  test.each(ways)('%s has its own, and each copy button copies exactly the text', async (way) => {
    await openWithToken()
    expect(tabNames()).toEqual(ways)
    await openWay(way)
    expect(figures.length).toBeGreaterThanOrEqual(4)
    for (const figure of figures.all()) {
      expect(await copied(figure)).toBe(figure.getByRole('code').element().textContent)
    }
  })
})

test('one tries with what the system has: PowerShell on Windows, curl elsewhere', async () => {
  await openWithToken()
  for (const way of ways) {
    await tab(way).click()
    await expect
      .element(tryNow)
      .toMatchTextContent(way === 'Windows' ? 'Invoke-RestMethod' : 'curl')
    await expect.element(tryNow).toMatchTextContent(givenToken)
  }
})

test('other ways are those by cron alone, by systemd alone, and in the foreground', async () => {
  await openWithToken()
  await tab('Other ways').click()
  expect(tabNames().slice(ways.length)).toEqual(['Cron', 'systemd', 'In the foreground'])
  await tab('In the foreground').click()
  const line = install.getByRole('figure', { name: /^Paste this line/ }).getByRole('code')
  await expect.element(line).toMatchTextContent('while :; do')
  await expect.element(install.getByText('How to remove it')).not.toBeInTheDocument()
})

describe('the install step', () => {
  const done = install.getByText('Done.')

  test('is done with the second heartbeat: the first one may have been a test', async () => {
    holdTime()
    const device = sampleDevice()
    const { reportByToken } = await openConnect([device], device)
    await generate.click()
    await expect.element(tryNow).toBeVisible()
    reportByToken(device)
    await expect
      .element(install)
      .toMatchTextContent('If not, paste it now: the line above installs nothing')
    await expect.element(watch).toMatchTextContent('Lighthouse is online')
    await expect.element(watch.getByText('Done.')).toBeInTheDocument()
    await expect.element(done).not.toBeInTheDocument()
    await vi.advanceTimersByTimeAsync(10_000)
    await expect.element(done).not.toBeInTheDocument()
    reportByToken(device)
    await vi.advanceTimersByTimeAsync(10_000)
    await expect.element(done).toBeInTheDocument()
    await expect.element(install).toMatchTextContent('A second heartbeat has arrived')
  })

  test('heartbeats with another token of the device complete nothing', async () => {
    holdTime()
    const device = sampleDevice({ status: 'online', lastSeenAt: new Date().toISOString() })
    const { replace } = await openConnect([device], device)
    await generate.click()
    await expect.element(tryNow).toBeVisible()
    for (const _heartbeat of [1, 2, 3]) {
      replace(device.id, { lastSeenAt: new Date().toISOString() })
      await vi.advanceTimersByTimeAsync(10_000)
    }
    await expect.element(done).not.toBeInTheDocument()
  })
})

describe('axe finds nothing, and nothing overflows', () => {
  test('at its start', async () => {
    await openConnect()
    await expect.element(form.label).toBeVisible()
    await expectAccessibleOnDesktop()
    await expectAccessible()
  })

  test('with a token and every way', async () => {
    await openWithToken('W'.repeat(64))
    for (const way of ways) {
      await openWay(way)
      await expect.element(tab(way)).toHaveAttribute('aria-selected', 'true')
      await expectNoSidewaysScroll()
    }
    await expectAccessible()
  })
})

/** Opens Connect with a token and two devices. The other device's label is right-to-left. */
async function openWithToken(label = 'Harbour Pi') {
  const device = sampleDevice({ label })
  await openConnect([device, sampleDevice({ label: 'منارة الميناء القديم' })], device)
  await generate.click()
  await expect.element(tryNow).toBeVisible()
}

function tabNames(): (string | null)[] {
  const tabs = install.getByRole('tab').elements()
  return tabs.map(({ textContent }) => textContent)
}

/** Opens a tab and expands its details. */
async function openWay(way: string) {
  await tab(way).click()
  await install.getByText('What this installs').click()
  await install.getByText('How to remove it').click()
}

/** What a figure's copy button puts on the clipboard. */
async function copied(figure: Locator): Promise<string> {
  await navigator.clipboard.writeText('')
  const button = figure.getByRole('button')
  await button.click()
  await expect.element(button).toHaveTextContent('Copied')
  return await navigator.clipboard.readText()
}
