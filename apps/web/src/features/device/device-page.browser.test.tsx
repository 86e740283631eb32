import { listChannels } from '@astropelago/contract/alert-channels'
import { listOwnLocations } from '@astropelago/contract/check-locations'
import { defaultAlertRules, sameRules } from '@astropelago/contract/alert-rules'
import { getAlerts, getDeviceAlerts } from '@astropelago/contract/alerts'
import {
  getPublicDevice,
  listDeviceTokens,
  listOwnDevices,
  type PublicDeviceDetails,
} from '@astropelago/contract/devices'
import {
  type Day,
  type DeviceHistory,
  getDeviceHistory,
  getDeviceUptime,
  uptimeWindows,
} from '@astropelago/contract/history'
import { OwnMessage, streamOwn } from '@astropelago/contract/streams'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { answerApi, isAnswered, refused } from '../../test/answer-api.ts'
import { answerFeed } from '../../test/answer-feed.ts'
import { answerStream } from '../../test/answer-stream.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleDevice, sampleReport, sampleToken, sampleUser as user } from '../../test/samples.ts'
import { answerOwnDevices } from '../../devices/testing/answer-own-devices.ts'
import { deviceFormParts } from '../../devices/testing/device-form-parts.ts'

const minuteMs = 60_000
const nowMs = Date.now()
const ago = (minutes: number) => new Date(nowMs - minutes * minuteMs).toISOString()

function sampleDetails(details: Partial<PublicDeviceDetails> = {}): PublicDeviceDetails {
  const { id, label, lat, lon, link } = sampleDevice()
  return { id, label, lat, lon, link, status: 'online', since: ago(60), owner: 'nova', ...details }
}

function sampleDay(daysAgo: number, details: Partial<Day> = {}): Day {
  const day = new Date(nowMs - daysAgo * 1440 * minuteMs).toISOString().slice(0, 10)
  const whole = {
    onlineS: 86_400,
    offlineS: 0,
    unobservedS: 0,
    flips: 0,
    status: 'online' as const,
  }
  return { day, ...whole, ...details }
}

const sampleHistory: DeviceHistory = {
  days: [sampleDay(2), sampleDay(1, { onlineS: 43_200, offlineS: 43_200, flips: 2 }), sampleDay(0)],
  spans: [
    { from: ago(1440), to: ago(120), status: 'online' },
    { from: ago(120), to: ago(60), status: 'offline' },
    { from: ago(60), to: ago(0), status: 'online' },
  ],
  events: [
    { kind: 'online', at: ago(60) },
    { kind: 'offline', at: ago(120) },
    { kind: 'unobserved', at: ago(3000), until: ago(2990) },
  ],
  next: null,
}

/** Opens a device's page. The answers come from the returned state, which a test can change. */
async function openDevice(device: PublicDeviceDetails, history = sampleHistory, visit = {}) {
  const server = { device, history }
  answerApi(getPublicDevice, () => ({ status: 200, body: server.device }))
  answerApi(getDeviceUptime, () => ({
    status: 200,
    body: {
      status: server.device.status,
      since: server.device.since,
      windows: uptimeWindows.map((window) => ({ window, uptime: 0.995, observed: 0.5 })),
    },
  }))
  const asked = answerApi(getDeviceHistory, () => ({ status: 200, body: server.history }))
  answerApi(getDeviceAlerts, {
    status: 200,
    body: { rules: sameRules, isOn: true, maintenance: [] },
  })
  const none = { held: null, differing: [], maintenance: [] }
  answerApi(getAlerts, {
    status: 200,
    body: { rules: defaultAlertRules, sentCount: 0, sentMax: 200, ...none },
  })
  answerApi(listChannels, {
    status: 200,
    body: { channels: [], pushKey: '', canSendMail: true },
  })
  if (!isAnswered(listOwnLocations)) answerApi(listOwnLocations, { status: 200, body: [] })
  const stream = answerStream(streamOwn, OwnMessage)
  await openScreen(`/devices/${device.id}`, visit)
  return { server, asked, stream }
}

const title = page.getByRole('heading', { level: 1 })
const days = page.getByRole('slider', { name: 'Days of Lighthouse' })
const log = page.getByRole('region', { name: 'Log' }).getByRole('listitem')

describe('a public device, for any visitor', () => {
  test('is its status and since when, uptime with what was observed, days, hours and events', async () => {
    await openDevice(sampleDetails())
    await expect.element(title).toHaveTextContent('Lighthouse')
    await expect.poll(() => document.title).toBe('Lighthouse · Astropelago')
    await expect.element(page.getByText(/^for 1 h.*since/)).toBeVisible()
    await expect.element(page.getByText('Online', { exact: true }).first()).toBeVisible()
    const uptime = page.getByRole('region', { name: 'Uptime' })
    await expect.element(uptime).toMatchTextContent('24 hours99.50%50% observed')
    await expect
      .element(page.getByText(/Last 24 hours: Online 23 h, offline 1 h/))
      .toBeInTheDocument()
    await expect.element(log.nth(1)).toMatchTextContent('Went offline')
    await expect.element(log.nth(1)).toMatchTextContent('for 1 h')
    await expect.element(log.nth(2)).toMatchTextContent('Not observed')
    await expect.element(log.nth(2)).toMatchTextContent('for 10 min')
    expect(page.getByRole('button', { name: 'Edit Lighthouse' }).elements()).toEqual([])
    await expectAccessible()
  })

  test('[H2] what it was lasts through an outage, until it changes', async () => {
    await openDevice(sampleDetails({ since: ago(5760) }), {
      ...sampleHistory,
      events: [
        { kind: 'unobserved', at: ago(1440), until: ago(1439) },
        { kind: 'online', at: ago(5760) },
        { kind: 'unobserved', at: ago(6000), until: ago(5990) },
        { kind: 'offline', at: ago(7200) },
      ],
    })
    await expect.element(log.nth(3)).toMatchTextContent('Went offlinefor 1 d')
    await expect.element(log.nth(2)).toMatchTextContent('Not observedfor 10 min')
    await expect.element(log.nth(1)).toMatchTextContent('Came online')
    await expect.element(log.nth(1)).not.toMatchTextContent('for ')
    await expect.element(log.first()).toMatchTextContent('Not observedfor 1 min')
  })

  test('arrow keys move along its days, and a table shows them on request', async () => {
    await openDevice(sampleDetails())
    await expect
      .element(days)
      .toHaveAttribute('aria-valuetext', expect.stringMatching(/100% online$/))
    days.element().focus()
    await userEvent.keyboard('{ArrowLeft}')
    await expect
      .element(days)
      .toHaveAttribute(
        'aria-valuetext',
        expect.stringMatching(/50% online, offline 12 h, 2 changes$/),
      )
    await page.getByRole('button', { name: 'As a table' }).click()
    const table = page.getByRole('table', { name: 'Days of Lighthouse' })
    await expect.element(table.getByRole('row').nth(2)).toMatchTextContent('50%')
    await expectAccessible()
  })

  test('a status change in the feed appears on the page', async () => {
    const feed = answerFeed()
    const device = sampleDetails()
    const { server, asked } = await openDevice(device)
    await expect.element(log.nth(2)).toBeVisible()
    await expect.poll(() => asked.length).toBeGreaterThan(1)
    server.device = { ...device, status: 'offline', since: ago(0) }
    const [...events] = sampleHistory.events
    server.history = { ...sampleHistory, events: [{ kind: 'offline', at: ago(0) }, ...events] }
    const { since: _since, owner: _owner, ...told } = server.device
    feed.tell({ type: 'device', payload: told })
    await expect.element(log.nth(3)).toBeVisible()
    await expect.element(log.first()).toMatchTextContent('Went offline')
    await expect.element(page.getByText('Lighthouse is offline.')).toBeInTheDocument()
  })

  test('earlier events come when they are asked for', async () => {
    await openDevice(sampleDetails(), { ...sampleHistory, next: 'cursor' })
    await expect.element(log.nth(2)).toBeVisible()
    const newest = { ...sampleHistory, next: 'cursor' }
    const earlier: DeviceHistory = {
      days: [],
      spans: [],
      events: [{ kind: 'online', at: ago(9999) }],
      next: null,
    }
    answerApi(getDeviceHistory, ({ query: { after } }) => ({
      status: 200,
      body: after === 'cursor' ? earlier : newest,
    }))
    await page.getByRole('button', { name: 'Show earlier' }).click()
    await expect.element(log.nth(3)).toMatchTextContent('Came online')
    await expect.element(page.getByRole('button', { name: 'Show earlier' })).not.toBeInTheDocument()
  })

  test('that has never reported says so', async () => {
    const device = sampleDetails({ status: 'unknown', owner: null })
    await openDevice(device, { days: [], spans: [], events: [], next: null })
    await expect.element(page.getByText('No heartbeat yet')).toBeVisible()
    await expectAccessible()
  })

  test('fits the narrowest screen, with the longest label', async () => {
    await page.viewport(360, 900)
    await openDevice(sampleDetails({ label: 'W'.repeat(64) }))
    await expect.element(log.nth(2)).toBeVisible()
    await expectNoSidewaysScroll()
  })
})

describe('what others can show of it', () => {
  const embeds = page.getByRole('region', { name: 'Show it elsewhere' })

  test('is its badge, for any visitor', async () => {
    const device = sampleDetails()
    await openDevice(device)
    const address = `${window.location.origin}/badges/${device.id}/status.svg`
    await expect.element(embeds).toMatchTextContent(`<img src="${address}"`)
    await expect.element(embeds.getByRole('img', { name: 'Status of Lighthouse' })).toBeVisible()
  })

  test.each([
    ['a private one', { visibility: 'private' as const }, 'This device is private'],
    ['one that is hidden', { hidden: { at: ago(5), reason: 'Too loud.' } }, 'While it is hidden'],
  ])('is nothing of %s: its owner reads why', async (_, details, why) => {
    const own = sampleDevice(details)
    answerOwnDevices(own)
    answerApi(listDeviceTokens, { status: 200, body: [] })
    await openDevice(sampleDetails({ id: own.id }), sampleHistory, { user })
    await expect.element(embeds).toMatchTextContent(why)
    await expect.element(embeds.getByRole('combobox')).not.toBeInTheDocument()
  })

  test('is not shown before its owner is known, which can be retried', async () => {
    const own = sampleDevice({ visibility: 'private' })
    const { promise: list, resolve } = Promise.withResolvers<void>()
    answerApi(listOwnDevices, async () => {
      await list
      return refused('rate_limited')
    })
    await openDevice(sampleDetails({ id: own.id }), sampleHistory, { user })
    await expect.element(log.nth(2)).toBeVisible()
    await expect.element(embeds).not.toBeInTheDocument()
    resolve()
    await expect.element(page.getByText('Your devices could not be loaded.')).toBeVisible()
    await expect.element(embeds).not.toBeInTheDocument()
    answerOwnDevices(own)
    answerApi(listDeviceTokens, { status: 200, body: [] })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(embeds).toMatchTextContent('This device is private')
  })
})

describe('its owner', () => {
  test('has what one does with it and its tokens on the page, and what it last said', async () => {
    const report = sampleReport({
      at: ago(5),
      status: 'fail',
      since: ago(5),
      text: 'Disk is full.',
    })
    const own = sampleDevice({ status: 'online', visibility: 'private', report })
    answerOwnDevices(own)
    answerApi(listDeviceTokens, { status: 200, body: [sampleToken()] })
    await openDevice(sampleDetails({ id: own.id }), sampleHistory, { user })
    await expect.element(page.getByText('Private: only you see this page.')).toBeVisible()
    await expect.element(page.getByText('Disk is full.')).toBeVisible()
    await expect
      .element(page.getByRole('list', { name: 'Device tokens' }).getByRole('listitem'))
      .toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: 'Edit Lighthouse' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Edit device' })).toBeVisible()
  })

  test('[P11] [P14] reads how often it reports, when that is expected, and how its last run went', async () => {
    const run = { exitCode: 3, durationMs: 61_000, runningSince: ago(2) }
    const own = sampleDevice({
      status: 'online',
      schedule: { kind: 'period', periodS: 900, graceS: 300 },
      expectedAt: ago(-10),
      report: sampleReport(run),
    })
    const { replace } = answerOwnDevices(own)
    answerApi(listDeviceTokens, { status: 200, body: [] })
    const { stream } = await openDevice(sampleDetails({ id: own.id }), sampleHistory, { user })
    await expect
      .element(page.getByText(/^Reports every 15 minutes, with a grace period of 5 min\./))
      .toMatchTextContent(/Next expected .+/)
    await expect
      .element(page.getByText('Its last run took 1 min 1 s and ended with exit code 3.'))
      .toBeVisible()
    await expect.element(page.getByText(/^A run started .* has not ended\.$/)).toBeVisible()
    const schedule = { kind: 'cron', expression: '0 4 * * *', timeZone: 'UTC', graceS: 0 } as const
    const report = sampleReport({ durationMs: 20 })
    replace(own.id, { schedule, expectedAt: null, report })
    await expect.poll(() => stream.open()).toBe(1)
    stream.tell({ type: 'device-report', payload: { id: own.id, report } })
    await expect.element(page.getByText('Its last run took 20 ms.')).toBeVisible()
    await expect.element(page.getByText('Reports every day at 04:00 (UTC).')).toBeVisible()
    await expectAccessible()
  })

  test('of a private one reads its new name at once', async () => {
    const own = sampleDevice({ visibility: 'private' })
    answerOwnDevices(own)
    answerApi(listDeviceTokens, { status: 200, body: [] })
    const device = sampleDetails({ id: own.id })
    const { server } = await openDevice(device, sampleHistory, { user })
    await page.getByRole('button', { name: 'Edit Lighthouse' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit device' })
    await deviceFormParts(dialog).label.fill('Beacon')
    server.device = { ...device, label: 'Beacon' }
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect.element(title).toHaveTextContent('Beacon')
  })

  test('[P10] reads a new report and a flip of a private one when they come', async () => {
    const own = sampleDevice({ status: 'online', visibility: 'private' })
    const { replace } = answerOwnDevices(own)
    answerApi(listDeviceTokens, { status: 200, body: [] })
    const device = sampleDetails({ id: own.id })
    const { server, stream } = await openDevice(device, sampleHistory, { user })
    await expect.poll(() => stream.open()).toBe(1)
    const report = sampleReport({
      at: ago(0),
      status: 'fail',
      since: ago(0),
      text: 'Disk is full.',
    })
    replace(own.id, { report })
    stream.tell({ type: 'device-report', payload: { id: own.id, report } })
    await expect.element(page.getByText('Disk is full.')).toBeVisible()
    server.device = { ...device, status: 'offline', since: ago(0) }
    stream.tell({ type: 'device', payload: { id: own.id, status: 'offline' } })
    await expect.element(page.getByText('Lighthouse is offline.')).toBeInTheDocument()
  })

  test('keeps what is being edited when the first heartbeat comes', async () => {
    const feed = answerFeed()
    const own = sampleDevice()
    answerOwnDevices(own)
    answerApi(listDeviceTokens, { status: 200, body: [] })
    const device = sampleDetails({ id: own.id, status: 'unknown' })
    const none = { days: [], spans: [], events: [], next: null }
    const { server } = await openDevice(device, none, { user })
    await expect.element(page.getByText('No heartbeat yet')).toBeVisible()
    const gone = page.getByLabelText('When it goes offline')
    await gone.selectOptions('Don’t tell me')
    server.device = { ...device, status: 'online', since: ago(0) }
    server.history = sampleHistory
    const { since: _since, owner: _owner, ...told } = server.device
    feed.tell({ type: 'device', payload: told })
    await expect.element(log.first()).toMatchTextContent('Came online')
    await expect.element(gone).toHaveDisplayValue('Don’t tell me')
  })

  test('is led to Account once it is deleted', async () => {
    const own = sampleDevice()
    answerOwnDevices(own)
    answerApi(listDeviceTokens, { status: 200, body: [] })
    await openDevice(sampleDetails({ id: own.id }), sampleHistory, { user })
    await page.getByRole('button', { name: 'Delete Lighthouse' }).click()
    await page.getByRole('button', { name: 'Delete device' }).click()
    await expect.element(title).toHaveTextContent('Account')
    expect(window.location.pathname).toBe('/account')
  })
})

describe('a device that is not there, or private', () => {
  test('signed out, it says so and leads to signing in', async () => {
    answerApi(getPublicDevice, refused('not_found'))
    await openScreen('/devices/nowhere')
    await expect.element(title).toHaveTextContent('Nothing here that you can see')
    await expect
      .element(page.getByRole('main').getByRole('link', { name: 'Sign in' }))
      .toBeVisible()
    await expectAccessible()
  })

  test('signed in, it leads to one’s own', async () => {
    answerOwnDevices()
    answerApi(getPublicDevice, refused('not_found'))
    await openScreen('/devices/nowhere', { user })
    await expect
      .element(page.getByRole('main').getByRole('link', { name: 'Your devices' }))
      .toBeVisible()
  })
})

test('without an answer it can be asked again', async () => {
  answerApi(getPublicDevice, refused('rate_limited'))
  await openScreen('/devices/somewhere')
  await expect.element(title).toHaveTextContent('This device could not be loaded')
  const device = sampleDetails()
  answerApi(getPublicDevice, { status: 200, body: device })
  answerApi(getDeviceUptime, refused('overloaded'))
  answerApi(getDeviceHistory, refused('overloaded'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(title).toHaveTextContent('Lighthouse')
})
