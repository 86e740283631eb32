import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { openPart, openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'
import { DashboardPage } from './dashboard-page.tsx'

const greeting = page.getByText(/^Welcome back, /)

test('it greets by the username, has two places to come, and leads to Connect', async () => {
  await openPart(<DashboardPage />, { user: { ...sampleUser, name: 'Captain Nemo' } })
  await expect.element(greeting).toHaveTextContent(`Welcome back, ${sampleUser.username}`)
  await expect.element(page.getByText('Captain Nemo')).not.toBeInTheDocument()
  for (const name of ['Recent activity (coming soon)', 'Your islands (coming soon)']) {
    const part = page.getByRole('region', { name, exact: true })
    await expect.element(part.getByRole('heading', { name, exact: true })).toBeVisible()
  }
  const connect = page.getByRole('link', { name: 'Connect a device' })
  await expect.element(connect).toHaveAttribute('href', '/connect')
})

test.each([
  ['a long name', 'N'.repeat(64)],
  ['right-to-left text', 'כוכבים'.repeat(10)],
  ['emoji', '👩‍🚀'.repeat(8)],
])('or, failing that, the name: %s stays inside', async (_, name) => {
  await openPart(<DashboardPage />, { user: { ...sampleUser, username: '', name } })
  await expect.element(greeting).toHaveTextContent(`Welcome back, ${name}`)
  await expectNoSidewaysScroll()
  const { scrollWidth, clientWidth } = greeting.element()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})

test('axe finds nothing, nothing overflows, with a username of 32 wide letters', async () => {
  await openScreen('/dashboard', { user: { ...sampleUser, username: 'W'.repeat(32) } })
  await expect.element(greeting).toHaveTextContent(`Welcome back, ${'W'.repeat(32)}`)
  await expectAccessible()
  expect(document.title).toBe('Dashboard · Astropelago')
})
