import { accountParts } from './harness/account-parts.ts'
import { connectSteps } from './harness/connect-steps.ts'
import { deviceForm } from './harness/device-form.ts'
import { makeDevice, makeToken, sendHeartbeat } from './harness/devices.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  watchLayoutShift,
} from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

/** Layout that jumps by less than this is not noticed. */
const maxLayoutShift = 0.01
/** As wide as a label can be, without a place to break it, and from right to left. */
const longestLabel = 'W'.repeat(64)
const arabicLabel = 'منارة الميناء القديم'

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test('Account without devices, and with refusals: axe finds nothing, nothing overflows or jumps', async ({
  page,
}) => {
  const layoutShift = await watchLayoutShift(page)
  await page.goto('/account')
  const { register, registerButton, publicPart } = accountParts(page)
  await expect(publicPart).toContainText('No public devices yet')
  await expect(page).toHaveTitle('Account · Astropelago')
  expect(await layoutShift()).toBeLessThan(maxLayoutShift)
  await expectAccessible(page)
  await registerButton.click()
  await expect(deviceForm(register).alerts).toHaveCount(3)
  await expectAccessible(page)
})

test('Account with devices of every status and the longest labels: axe finds nothing, nothing overflows or jumps', async ({
  page,
}) => {
  const request = page.context().request
  const { id } = await makeDevice(request, { label: longestLabel })
  const link = `https://${'w'.repeat(60)}.example/${'long/'.repeat(50)}`
  await makeDevice(request, { label: arabicLabel, link })
  await makeDevice(request, { label: 'Cellar', visibility: 'private' })
  await sendHeartbeat(request, (await makeToken(request, id)).token)
  const layoutShift = await watchLayoutShift(page)
  await page.goto('/account')
  await expect(accountParts(page).publicRows).toHaveCount(2)
  expect(await layoutShift()).toBeLessThan(maxLayoutShift)
  await expectAccessible(page)
})

for (const name of ['Edit', 'Tokens of', 'Heartbeat command for', 'Delete']) {
  test(`Account's dialog '${name}': axe finds nothing, nothing overflows`, async ({ page }) => {
    const request = page.context().request
    const { id } = await makeDevice(request, { label: 'Lighthouse' })
    await makeToken(request, id, longestLabel)
    await page.goto('/account')
    await page.getByRole('button', { name: `${name} Lighthouse` }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    if (name === 'Tokens of') await dialog.getByRole('button', { name: /^Revoke/ }).click()
    await expectAccessible(page)
  })
}

test('Connect at its start: axe finds nothing, nothing overflows or jumps', async ({ page }) => {
  const layoutShift = await watchLayoutShift(page)
  await page.goto('/connect')
  await expect(deviceForm(connectSteps(page).choose).label).toBeVisible()
  await expect(page).toHaveTitle('Connect Device · Astropelago')
  expect(await layoutShift()).toBeLessThan(maxLayoutShift)
  await expectAccessible(page)
})

test('Connect with a token and every tab, then online: axe finds nothing, nothing overflows', async ({
  page,
}) => {
  const { id } = await makeDevice(page.context().request, { label: longestLabel })
  await makeDevice(page.context().request, { label: arabicLabel })
  await page.goto(`/connect?device=${id}`)
  const { generate, shownToken, install, tab, watch } = connectSteps(page)
  await generate.click()
  await expect(shownToken).toBeVisible()
  for (const name of ['Cron', 'systemd', 'macOS', 'Windows']) {
    await tab(name).click()
    for (const fold of await install.locator('summary').all()) await fold.click()
    await expectNoSidewaysScroll(page)
  }
  await sendHeartbeat(page.context().request, (await shownToken.textContent()) ?? '')
  await expect(watch.getByText('online', { exact: true })).toBeVisible()
  await expectAccessible(page)
})
