import { type Announcement, listAnnouncements } from '@astropelago/contract/announcements'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'
import { answerDashboard } from '../dashboard/testing/answer-dashboard.ts'

const chart = page.getByRole('region', { name: 'Categories' })
const news = page.getByRole('region', { name: 'From the Mothership' })
const startsAt = '2026-01-02T03:04:05.000Z'
const announcements: Announcement[] = [
  { id: 'a', level: 'warning', title: 'Storm', text: '', startsAt, endsAt: null },
  {
    id: 'b',
    level: 'news',
    title: '<b>A new harbour</b>',
    text: 'See https://harbour.example.\n\njavascript:alert(1)',
    startsAt,
    endsAt: null,
  },
]

test('the Mothership’s card leads to the announcements, which are text with links', async () => {
  answerApi(listAnnouncements, { status: 200, body: announcements })
  await openScreen('/discover', { user: sampleUser })
  await expect.element(chart.getByRole('link', { name: 'Run the network' })).not.toBeInTheDocument()
  await chart.getByRole('link', { name: '2 announcements' }).click()
  expect(window.location.pathname).toBe('/discover/mothership')
  const items = news.getByRole('listitem')
  await expect.element(items.nth(0)).toMatchTextContent('Warning')
  await expect.element(items.nth(1)).toMatchTextContent('<b>A new harbour</b>')
  expect(
    news
      .getByRole('link')
      .elements()
      .map((link) => link.getAttribute('href')),
  ).toEqual(['https://harbour.example/'])
  await expectAccessible()
})

test('the Mothership’s card links operators to their screen', async () => {
  await openScreen('/discover', { user: { ...sampleUser, isOperator: true } })
  const link = chart.getByRole('link', { name: 'Run the network' })
  await expect.element(link).toHaveAttribute('href', '/mothership')
  await expect.element(news).not.toBeInTheDocument()
})

test('the dashboard shows the first announcement in a line that leads to all', async () => {
  answerApi(listAnnouncements, { status: 200, body: announcements })
  answerDashboard()
  await openScreen('/dashboard', { user: sampleUser })
  const line = page.getByRole('link', { name: /Storm/ })
  await expect.element(line).toHaveTextContent('WarningStormand 1 more')
  await expect.element(line).toHaveAttribute('href', '/discover/mothership')
  await expectAccessible()
})

test('if the announcements can’t be loaded, both screens look as without any', async () => {
  answerApi(listAnnouncements, refused('rate_limited'))
  answerDashboard()
  await openScreen('/dashboard', { user: sampleUser })
  await expect.element(page.getByText(/^Welcome back, /)).toBeVisible()
  const ready = page.getByRole('region', { name: 'Ready when you are' })
  await expect.element(ready.getByRole('link', { name: 'Connect a device' })).toBeVisible()
})
