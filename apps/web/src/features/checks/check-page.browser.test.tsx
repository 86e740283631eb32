import { listChannels } from '@astropelago/contract/alert-channels'
import { defaultAlertRules, sameRules } from '@astropelago/contract/alert-rules'
import { getAlerts, getCheckAlerts } from '@astropelago/contract/alerts'
import {
  type CheckHistory,
  getCheck,
  getCheckHistory,
  renewPushAddress,
  runCheck,
  updateCheck,
} from '@astropelago/contract/checks'
import { listOwnDevices } from '@astropelago/contract/devices'
import { sendReport } from '@astropelago/contract/reports'
import { Route, Routes } from 'react-router'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openPart, openScreen } from '../../test/open-screen.tsx'
import { sampleDevice, sampleUser as user } from '../../test/samples.ts'
import { CheckPage } from './check-page.tsx'
import {
  ago,
  answerCheckHistory,
  answerOwnChecks,
  backup,
  noHistory,
  sampleCheck,
  sampleCheckHistory,
  website,
} from './testing/answer-checks.ts'

const title = page.getByRole('heading', { level: 1 })
const log = page.getByRole('region', { name: 'Log' }).getByRole('listitem')
const button = (name: string) => page.getByRole('button', { name })
const dialog = page.getByRole('dialog')

async function openOwn(details: Parameters<typeof sampleCheck>[0] = {}, history?: CheckHistory) {
  const check = sampleCheck(details)
  const server = answerOwnChecks(check)
  if (history) answerCheckHistory(history)
  answerAlerts()
  await openScreen(`/checks/${check.id}`, { user })
  await expect.element(title).toHaveTextContent(check.name)
  return server
}

/** What the card of alerts asks for, which loads once it is near. */
function answerAlerts() {
  answerApi(getCheckAlerts, {
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
}

describe('one’s own check', () => {
  test('says how it is and since when, what it watches, and its history', async () => {
    await openOwn({ status: 'down', note: 'It answered with 502.', since: ago(125) })
    await expect.poll(() => document.title).toBe('Harbour · Astropelago')
    await expect.element(page.getByText(/^for 2 h 5 min, since/)).toBeVisible()
    await expect.element(page.getByText('It answered with 502.').first()).toBeVisible()
    await expect.element(page.getByText('harbour.example/health')).toBeVisible()
    await expect.element(page.getByText('Only you see this page.')).toBeVisible()
    await expect
      .element(page.getByRole('region', { name: 'Uptime' }))
      .toMatchTextContent('24 hours99.50%')
    await expect.element(log.nth(1)).toMatchTextContent('Went downfor 1 h')
    await expect.element(log.nth(1)).toMatchTextContent('It answered with 502.')
    await expect.element(page.getByText(/Last 24 hours: Up 23 h, down 1 h/)).toBeInTheDocument()
    await expect.element(page.getByText(/so it has no badge/)).toBeVisible()
    await expectAccessible()
  })

  test('says why failures leave it unobserved, and draws no scale without an answer', async () => {
    const samples = [{ at: ago(1), tookMs: null }]
    await openOwn(
      { status: 'unobserved', note: 'No server has this name.' },
      sampleCheckHistory({ samples }),
    )
    await expect.element(page.getByText(/^It counts as down after two failures/)).toBeVisible()
    const times = page.getByRole('region', { name: 'Response times' })
    await expect.element(times).toMatchTextContent('Last 24 hours: 1 failure')
    await expect.element(times.getByText('0 ms')).not.toBeInTheDocument()
  })

  test('has response times for the keyboard and as a table, by the quarter of an hour and by day', async () => {
    await openOwn()
    const times = page.getByRole('region', { name: 'Response times' })
    await expect
      .element(times)
      .toMatchTextContent('Last 24 hours: typically 100 ms, 95% within 117 ms, 60 failures')
    const hours = times.getByRole('slider')
    hours.element().focus()
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
    await expect
      .element(hours)
      .toHaveAttribute('aria-valuetext', expect.stringMatching(/^\d\d:\d\d: typically \d+ ms, 95%/))
    await times.getByRole('button', { name: 'As a table' }).click()
    await expect.element(times.getByRole('table')).toBeVisible()
    await times.getByRole('tab', { name: '90 days' }).click()
    await times.getByRole('button', { name: 'As a table' }).click()
    const row = times.getByRole('table').getByRole('row').nth(1)
    await expect.element(row).toMatchTextContent('90 ms180 ms0')
    await expectAccessible(times)
  })

  test('has a line for each location elsewhere, in the legend, for the keyboard and as a table', async () => {
    const day = ago(1440).slice(0, 10)
    const location = (id: string, tookMs: number) => ({
      id,
      name: 'Oslo',
      status: 'up' as const,
      samples: [ago(31), ago(16), ago(0)].map((at) => ({ at, tookMs })),
      days: [{ day, p50Ms: tookMs, p95Ms: 2 * tookMs }],
    })
    await openOwn({}, sampleCheckHistory({ locations: [location('a', 40), location('b', 310)] }))
    const times = page.getByRole('region', { name: 'Response times' })
    const legend = times.getByRole('list', { name: 'What the drawing shows' })
    await expect.element(legend).toMatchTextContent('Oslo 40 msOslo (2) 310 ms')
    await expect.element(times.getByText('400 ms')).toBeVisible()
    const hours = times.getByRole('slider')
    await expect
      .element(hours)
      .toHaveAttribute(
        'aria-valuetext',
        expect.stringMatching(/; Oslo: 40 ms; Oslo \(2\): 310 ms$/),
      )
    await times.getByRole('tab', { name: '90 days' }).click()
    await times.getByRole('button', { name: 'As a table' }).click()
    const row = times.getByRole('table').getByRole('row').nth(1)
    await expect.element(row).toMatchTextContent('90 ms180 ms040 ms310 ms')
    await expectAccessible(times)
  })

  test('that nobody has looked at says so', async () => {
    const details = { status: 'unobserved', since: null, checkedAt: null, tookMs: null } as const
    await openOwn(details, noHistory)
    await expect.element(page.getByText('No history yet')).toBeVisible()
    await expect.element(page.getByText('not yet')).toBeVisible()
    expect(log.length).toBe(0)
  })

  test('is looked at, paused and continued from its page', async () => {
    const { changed } = await openOwn()
    answerApi(runCheck, { status: 200, body: { isUp: true, isSeen: true, tookMs: 91, note: null } })
    await button('Check now').click()
    await expect.element(page.getByText('It works: the answer took 91 ms.')).toBeVisible()
    answerApi(runCheck, refused('rate_limited'))
    await button('Check now').click()
    await expect.element(page.getByRole('alert')).toBeVisible()
    await button('Pause').click()
    await expect.element(page.getByText(/^While it is paused/)).toBeVisible()
    await button('Go on').click()
    await expect.element(button('Pause')).toBeVisible()
    expect(changed.map(({ body }) => body)).toEqual([{ isPaused: true }, { isPaused: false }])
  })

  test('is edited with what it has, except to or from reports', async () => {
    const { changed } = await openOwn({ isPaused: true })
    await button('Edit').click()
    await expect
      .element(dialog.getByRole('textbox', { name: 'Address' }))
      .toHaveValue('https://harbour.example/health')
    expect(dialog.getByRole('radio', { name: 'Reports by a script' }).length).toBe(0)
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('Port')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect.element(title).toHaveTextContent('Port')
    await expect.element(dialog).not.toBeInTheDocument()
    expect(changed[0]?.body).toEqual({
      name: 'Port',
      target: website,
      visibility: 'private',
      island: null,
      device: null,
    })
  })

  test('that one’s own device runs says so, with what to paste there, and offers no badge', async () => {
    const target = {
      kind: 'tcp',
      host: '192.168.1.2',
      port: 22,
      periodS: 60,
      timeoutS: 10,
    } as const
    answerApi(listOwnDevices, { status: 200, body: [sampleDevice({ id: 'pi', label: 'Pi' })] })
    const note = 'No agent with --lend is connected on the device that it runs from.'
    await openOwn({ target, device: 'pi', status: 'unobserved', note })
    await expect.element(page.getByText(note)).toBeVisible()
    await expect.element(page.getByText(/^Only Pi looks/)).toBeVisible()
    await expect.element(page.getByText('--lend --check-lan 192.168.1.2/32:22')).toBeVisible()
    expect(page.getByText(/Members’ devices can look as well|it has no badge/).length).toBe(0)
    answerApi(runCheck, { status: 200, body: { isUp: false, isSeen: false, tookMs: null, note } })
    await button('Check now').click()
    await expect.element(page.getByText(/^Nobody could look\./)).toBeVisible()
    await expectAccessible()
    await expectNoSidewaysScroll()
  })

  test.each([
    ['a deleted device', { device: 'gone' }, 'The device was deleted.'],
    ['no device yet', { isPaused: true }, 'Edit the check, and choose the device'],
  ])('that pings from %s says what is next', async (_, details, next) => {
    const target = { kind: 'ping', host: 'printer.lan', periodS: 60, timeoutS: 10 } as const
    await openOwn({ target, status: 'unobserved', ...details })
    await expect.element(page.getByText(new RegExp(`^${next}`))).toBeVisible()
  })

  test('from an import that the server can’t look at goes on only from a device', async () => {
    await openOwn({ isPaused: true })
    answerApi(updateCheck, refused('inside_address'))
    await button('Go on').click()
    await expect
      .element(page.getByRole('alert'))
      .toMatchTextContent('This server can’t look there.')
  })

  test('is deleted after a question, and the list has it no more', async () => {
    const { deleted } = await openOwn()
    await button('Delete').click()
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    expect(deleted).toEqual([])
    await button('Delete').click()
    await dialog.getByRole('button', { name: 'Delete check' }).click()
    await expect.poll(() => window.location.pathname).toBe('/checks')
    await expect.element(page.getByText('No checks yet')).toBeVisible()
  })

  test('of reports gets another address after a question', async () => {
    const { checks } = await openOwn({ name: 'Backup', target: backup })
    expect(button('Check now').length).toBe(0)
    const asked = answerApi(renewPushAddress, {
      status: 200,
      body: { pushUrl: 'https://sky.example/ping/n3w' },
    })
    await button('Replace the address').click()
    await expect.element(page.getByText(/stops working at once/)).toBeVisible()
    expect(asked).toEqual([])
    await button('Replace it').click()
    await expect
      .element(page.getByText('https://sky.example/ping/n3w', { exact: true }))
      .toBeVisible()
    expect(asked[0]?.params.id).toBe(checks[0]?.id)
    await expectAccessible()
  })

  test('shows what other features say of it', async () => {
    const check = sampleCheck()
    answerOwnChecks(check)
    const shown = <CheckPage alertsOf={({ name }) => <p>Alerts of {name}</p>} />
    await openPart(
      <Routes>
        <Route path="/checks/:id" element={shown} />
      </Routes>,
      { path: `/checks/${check.id}`, user },
    )
    await expect.element(page.getByText('Alerts of Harbour')).toBeVisible()
  })

  test('says why an operator has hidden it, and offers no badge', async () => {
    await openOwn({ hidden: { at: ago(60), reason: 'Be kind.' } })
    await expect
      .element(page.getByRole('main'))
      .toMatchTextContent('Hidden from everybody else by the operator of this server: Be kind.')
    await expect
      .element(page.getByRole('region', { name: 'Show it elsewhere' }))
      .toMatchTextContent('While it is hidden, nobody can see its badge or its feed.')
    expect(button('Report this check').length).toBe(0)
  })

  test('fits the narrowest screen, with the longest texts', async () => {
    await openOwn({ name: 'W'.repeat(64), note: 'x'.repeat(250), status: 'down' })
    await expect.element(log.nth(1)).toBeVisible()
    await expectNoSidewaysScroll()
  })
})

describe('others', () => {
  const { id, name, status, since } = sampleCheck()
  const shown = { id, name, kind: 'http', status, since } as const

  test('see a public check without its address, and can show its badge', async () => {
    answerApi(getCheck, { status: 200, body: shown })
    answerCheckHistory(sampleCheckHistory({ events: [{ at: ago(60), kind: 'up', note: null }] }))
    await openScreen(`/checks/${id}`)
    await expect.element(title).toHaveTextContent('Harbour')
    await expect.element(log.first()).toMatchTextContent('Came up')
    const embeds = page.getByRole('region', { name: 'Show it elsewhere' })
    await expect
      .element(embeds)
      .toMatchTextContent(`<img src="${window.location.origin}/badges/checks/${id}/status.svg"`)
    for (const owners of ['Check now', 'Edit', 'Delete']) expect(button(owners).length).toBe(0)
    await expectAccessible()
  })

  test('who are signed in see the same, and can report it', async () => {
    answerOwnChecks()
    answerApi(getCheck, { status: 200, body: shown })
    const reports = answerApi(sendReport, { status: 204 })
    await openScreen(`/checks/${id}`, { user })
    await expect.element(title).toHaveTextContent('Harbour')
    expect(button('Edit').length).toBe(0)
    await button('Report this check').click()
    await page.getByRole('radio', { name: 'It is spam or advertising' }).click()
    await button('Send report').click()
    await expect
      .poll(() => reports)
      .toMatchObject([{ body: { kind: 'check', id, reason: 'spam', text: '' } }])
  })

  test('find nothing where a check is private, and can sign in', async () => {
    answerApi(getCheck, refused('not_found'))
    await openScreen(`/checks/${id}`)
    await expect.element(title).toHaveTextContent('Nothing here that you can see')
    await expect.element(page.getByText(/If it is yours, sign in/)).toBeVisible()
  })

  test('can try again when it does not come', async () => {
    answerApi(getCheck, 'dropped')
    answerApi(getCheckHistory, 'dropped')
    await openScreen(`/checks/${id}`)
    await expect.element(title).toHaveTextContent('This check could not be loaded')
    answerApi(getCheck, { status: 200, body: shown })
    answerCheckHistory(sampleCheckHistory())
    await button('Try again').click()
    await expect.element(title).toHaveTextContent('Harbour')
  })
})
