import { getStats } from '@astropelago/contract/operator'
import { listReports } from '@astropelago/contract/reports'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'
import { openOperator } from './testing/open-operator.tsx'

const title = page.getByRole('heading', { name: 'Mothership', level: 1 })
const server = {
  version: '1.2.3',
  databaseBytes: 12_345_678,
  makesBackups: true,
  lastBackupAt: '2026-03-04T05:06:00.000Z',
}
const figures = [
  { name: 'users', label: 'Users', value: 12_345 },
  { name: 'users.disabled', label: 'of them turned off', value: 1 },
  { name: 'reports.open', label: 'Open reports', value: 0 },
]

describe('the address', () => {
  test('leads operators to their screen', async () => {
    answerApi(getStats, { status: 200, body: { figures, server } })
    await openScreen('/Mothership', { user: { ...sampleUser, isOperator: true } })
    await expect.element(title).toBeVisible()
    expect(document.title).toBe('Mothership · Astropelago')
  })

  test('is one of the unknown slugs for everybody else, signed in or not', async () => {
    await openScreen('/mothership', { user: sampleUser })
    await expect.poll(() => window.location.pathname).toBe('/discover')
    await expect.element(title).not.toBeInTheDocument()
  })

  test('keeps a visitor from it as any unknown one does', async () => {
    await openScreen('/mothership')
    await expect
      .poll(() => window.location.pathname + window.location.search)
      .toBe('/explore?signin=1')
  })

  test('is so too for who is no operator any more, though the page was open', async () => {
    answerApi(getStats, refused('not_found'))
    await openOperator()
    await expect.poll(() => window.location.pathname).toBe('/discover')
  })
})

test('the overview has each figure, and what counts some of it below', async () => {
  answerApi(getStats, { status: 200, body: { figures, server } })
  await openOperator()
  const overview = page.getByRole('region', { name: 'Overview' })
  await expect.element(overview.getByText('12,345')).toBeVisible()
  await expect.element(overview.getByText('1 of them turned off')).toBeVisible()
  await expectAccessible()
})

test.each([
  [{}, /Version 1\.2\.3Database: 12\.3 MBLast backup Mar 4, 2026, 05:06/],
  [{ lastBackupAt: null }, 'There is no daily backup yet.'],
  [
    { lastBackupAt: null, makesBackups: false },
    'No daily backups are made. To get them, set BACKUP_DIR',
  ],
])('the overview says how the server is (%j)', async (differing, line) => {
  answerApi(getStats, {
    status: 200,
    body: { figures, server: { ...server, ...differing } },
  })
  await openOperator()
  await expect.element(page.getByRole('region', { name: 'Overview' })).toMatchTextContent(line)
})

test('a part that can’t be loaded says so, and loads when it is tried again', async () => {
  let isDown = true
  answerApi(getStats, () =>
    isDown ? refused('rate_limited') : { status: 200, body: { figures, server } },
  )
  await openOperator()
  await expect.element(page.getByText('The figures could not be loaded.')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('12,345')).toBeVisible()
})

test('the parts are links, reached by keyboard, and the present one is marked', async () => {
  answerApi(getStats, { status: 200, body: { figures, server } })
  answerApi(listReports, { status: 200, body: { cases: [], openCount: 0, hasMore: false } })
  await openOperator()
  const parts = page.getByRole('navigation', { name: 'Mothership' })
  const names = ['Overview', 'Users', 'Islands', 'Reports', 'Announcements', 'Invites', 'Audit log']
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
  parts.getByRole('link', { name: 'Islands' }).element().focus()
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(page.getByText('Nothing is reported')).toBeVisible()
  await expect.element(parts.getByRole('link', { name: 'Reports' })).toHaveAttribute('aria-current')
  expect(window.location.search).toBe('?part=reports')
  expect(document.title).toBe('Reports · Mothership · Astropelago')
})
