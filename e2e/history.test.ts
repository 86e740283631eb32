import { streamOwn } from '@astropelago/contract/streams'
import { flippingDevice } from './harness/flipping-device.ts'
import { feedOpen } from './harness/feed-requests.ts'
import { shownAt } from './harness/shown-at.ts'
import { expect, test } from './harness/test.ts'

/** Measured from the answer to the heartbeat, which comes after its commit. */
const budgetMs = 2000

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test('a first flip shows as a bar among the days and a line of the log within 2 s', async ({
  page,
}) => {
  const { device, comeOnline } = await flippingDevice(page.context().request)
  const open = feedOpen(page)
  await page.goto(`/devices/${device.id}`)
  await open
  const main = page.getByRole('main')
  await expect(main).toContainText('No heartbeat yet')
  const inLog = shownAt(main, 'Came online')
  const amongDays = shownAt(main, '100% online')
  const committedAt = await comeOnline()
  expect((await inLog) - committedAt).toBeLessThan(budgetMs)
  expect((await amongDays) - committedAt).toBeLessThan(budgetMs)
  await expect(page.getByRole('slider')).toHaveAttribute('aria-valuetext', /% online, .*1 change$/)
  await expect(main.locator('path.fill-online')).toHaveAttribute('d', /^M/)
})

test(
  'a private device’s first flip shows on its owner’s page within 2 s',
  { tag: '@long' },
  async ({ page }) => {
    const { device, comeOnline } = await flippingDevice(page.context().request, {
      visibility: 'private',
    })
    const told = page.waitForResponse((answer) => new URL(answer.url()).pathname === streamOwn.path)
    await page.goto(`/devices/${device.id}`)
    await told
    const main = page.getByRole('main')
    await expect(main).toContainText('No heartbeat yet')
    const inLog = shownAt(main, 'Came online')
    const committedAt = await comeOnline()
    expect((await inLog) - committedAt).toBeLessThan(budgetMs)
  },
)
