import { getStats, type ServerHealth } from '@astropelago/contract/operator'
import { readyz } from '@astropelago/contract/health'
import { getOperatorAlerts, pauseAlerts, resumeAlerts } from '@astropelago/contract/operator-alerts'
import { listReports } from '@astropelago/contract/reports'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'
import { openOperator, sampleAlerts, sampleServer } from './testing/open-operator.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const title = page.getByRole('heading', { name: 'Mothership', level: 1 })
const figures = [
  { name: 'users', label: 'Users', value: 12_345 },
  { name: 'users.disabled', label: 'of them turned off', value: 1 },
  { name: 'devices.tokens', label: 'Device tokens', value: 10 },
  { name: 'unknown.part', label: 'of them seen', value: 9 },
  { name: 'reports.open', label: 'Open reports', value: 0 },
]

/** Answers the overview's requests, optionally with another server state. */
function answerOverview(server: Parameters<typeof sampleServer>[0] = {}) {
  answerApi(readyz, { status: 200, body: { status: 'ready' } })
  answerApi(getOperatorAlerts, { status: 200, body: sampleAlerts() })
  return answerApi(getStats, { status: 200, body: { figures, server: sampleServer(server) } })
}

describe('the address', () => {
  test('shows operators their screen', async () => {
    answerOverview()
    await openScreen('/Mothership', { user: { ...sampleUser, isOperator: true } })
    await expect.element(title).toBeVisible()
    await expect.poll(() => document.title).toBe('Mothership · Astropelago')
  })

  test('is an unknown slug for everybody else, signed in or not', async () => {
    await openScreen('/mothership', { user: sampleUser })
    await expect.poll(() => window.location.pathname).toBe('/discover')
    await expect.element(title).not.toBeInTheDocument()
  })

  test('shows visitors the page for unknown slugs', async () => {
    await openScreen('/mothership')
    await expect
      .poll(() => window.location.pathname + window.location.search)
      .toBe('/explore?signin=1')
  })

  test('redirects a former operator while the page is open', async () => {
    answerOverview()
    answerApi(getStats, refused('not_found'))
    await openOperator()
    await expect.poll(() => window.location.pathname).toBe('/discover')
  })
})

test('the overview shows each figure with its parts below', async () => {
  answerOverview()
  await openOperator()
  const overview = page.getByRole('region', { name: 'Overview' })
  await expect.element(overview.getByText('12,345')).toBeVisible()
  await expect.element(overview.getByText('1 of them turned off')).toBeVisible()
  await expectAccessible()
})

test('the figures link to the lists of what they count', async () => {
  answerOverview()
  await openOperator()
  const overview = page.getByRole('region', { name: 'Overview' })
  const linkTo = (name: string) => overview.getByRole('link', { name, exact: true })
  await expect
    .element(linkTo('1 of them turned off'))
    .toHaveAttribute('href', '/mothership/users?only=disabled')
  await expect.element(linkTo('Open reports: 0')).toHaveAttribute('href', '/mothership/reports')
  await expect.element(overview.getByText('9 of them seen')).toBeVisible()
  expect(overview.getByRole('link').elements()).toHaveLength(3)
})

test.each<[string, Partial<ServerHealth>, RegExp]>([
  ['storage that answers', {}, /StorageSQLite answers in 2 ms\.E-mail/],
  [
    'storage that is slow and fails',
    { storage: { kind: 'postgres', answeredInMs: 900, waiting: 12, failures: 1 } },
    /PostgreSQL answers in 900 ms\. 12 calls wait for it\. 1 call has failed since the start\./,
  ],
  ['no mail server', {}, /E-mailNo e-mail is sent\. To send e-mail, set SMTP_URL/],
  [
    'mail that goes out',
    { mail: { isOn: true, lastSentAt: '2026-03-04T05:06:00.000Z', failure: null } },
    /E-mailThe last e-mail was sent Mar 4, 2026/,
  ],
  [
    'mail that does not',
    {
      mail: {
        isOn: true,
        lastSentAt: null,
        failure: { at: '2026-03-04T05:06:00.000Z', reason: 'Invalid login' },
      },
    },
    /The last e-mail could not be sent, Mar 4, 2026, \d+:06: Invalid login/,
  ],
  ['one server', {}, /ServersThis server works alone\./],
  [
    'one of several',
    { cluster: { size: 3, leads: false, behindMs: 200 } },
    /3 servers share the database\. Another one leads/,
  ],
  ['nobody who leads', { cluster: { size: 1, leads: false, behindMs: 0 } }, /No server leads/],
  [
    'a server that is cut off',
    { cluster: { size: 2, leads: false, behindMs: 4200 } },
    /cut off from its database for 4 s/,
  ],
])('the screen says the health of the server in words: %s', async (_, differing, words) => {
  answerOverview({ health: { ...sampleServer().health, ...differing } })
  await openOperator()
  await expect.element(page.getByRole('region', { name: 'Health' })).toMatchTextContent(words)
})

test('the overview reports a failed storage even if nothing else loads', async () => {
  answerOverview()
  answerApi(readyz, refused('overloaded'))
  answerApi(getStats, refused('overloaded'))
  await openOperator()
  await expect
    .element(page.getByRole('region', { name: 'Health' }))
    .toMatchTextContent('It does not answer. Nothing can be read or written.')
})

describe('alerts', () => {
  const alerts = page.getByRole('region', { name: 'Alerts' })

  test('show whether they are sent, how many wait, and which channels fail', async () => {
    answerOverview()
    answerApi(getOperatorAlerts, {
      status: 200,
      body: sampleAlerts({
        waiting: 1200,
        oldestAt: '2026-03-04T05:06:00.000Z',
        channels: [{ kind: 'ntfy', count: 7, failing: 2, ended: 1, unconfirmed: 0 }],
      }),
    })
    await openOperator()
    await expect
      .element(alerts)
      .toMatchTextContent('Alerts are sent. 1,200 are waiting since Mar 4')
    await expect.element(alerts).toMatchTextContent('ntfy 7, 2 failing, 1 ended')
    await expectAccessible()
  })

  test('are paused after confirmation and resumed with one press', async () => {
    answerOverview()
    let pausedAt: string | null = null
    const answer = () => ({ status: 200, body: sampleAlerts({ pausedAt }) }) as const
    answerApi(getOperatorAlerts, answer)
    const pauses = answerApi(pauseAlerts, () => {
      pausedAt = '2026-03-04T05:06:00.000Z'
      return answer()
    })
    answerApi(resumeAlerts, () => {
      pausedAt = null
      return answer()
    })
    await openOperator()
    await button('Pause alerts').click()
    const dialog = page.getByRole('dialog')
    await expect.element(dialog).toMatchTextContent('Nobody gets an alert')
    expect(pauses).toEqual([])
    await dialog.getByRole('button', { name: 'Pause alerts' }).click()
    await expect.element(alerts).toMatchTextContent('Paused since Mar 4, 2026')
    await button('Resume alerts').click()
    await expect.element(alerts).toMatchTextContent('Alerts are sent. None is waiting.')
  })
})

test.each([
  [{}, /Version 1\.2\.3Database: 12\.3 MBLast backup Mar 4, 2026, 05:06/],
  [{ lastBackupAt: null }, 'There is no daily backup yet.'],
  [
    { lastBackupAt: null, makesBackups: false },
    'No daily backups are made. To get them, set BACKUP_DIR',
  ],
])('the overview describes the server (%j)', async (differing, line) => {
  answerOverview(differing)
  await openOperator()
  await expect.element(page.getByRole('region', { name: 'Overview' })).toMatchTextContent(line)
})

test('a part that fails to load says so and can be retried', async () => {
  let isDown = true
  answerOverview()
  answerApi(getStats, () =>
    isDown ? refused('rate_limited') : { status: 200, body: { figures, server: sampleServer() } },
  )
  await openOperator()
  await expect.element(page.getByText('The figures could not be loaded.')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('12,345')).toBeVisible()
})

test('the parts are links for the keyboard, and the current one is marked', async () => {
  answerOverview()
  answerApi(listReports, { status: 200, body: { cases: [], openCount: 0, hasMore: false } })
  await openOperator()
  const parts = page.getByRole('navigation', { name: 'Mothership' })
  const names = [
    'Overview',
    'Users',
    'Devices',
    'Islands',
    'Pages',
    'Reports',
    'Announcements',
    'Neighbours',
    'Invites',
    'Audit log',
  ]
  await expect.element(parts.getByRole('link').first()).toBeVisible()
  expect(
    parts
      .getByRole('link')
      .elements()
      .map((link) => link.textContent),
  ).toEqual(names)
  await expect
    .element(parts.getByRole('link', { name: 'Overview' }))
    .toHaveAttribute('aria-current')
  parts.getByRole('link', { name: 'Pages' }).element().focus()
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(page.getByText('Nothing is reported')).toBeVisible()
  await expect.element(parts.getByRole('link', { name: 'Reports' })).toHaveAttribute('aria-current')
  expect(window.location.pathname).toBe('/mothership/reports')
  await expect.poll(() => document.title).toBe('Reports · Mothership · Astropelago')
})
