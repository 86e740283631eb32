import { accountParts } from './harness/account-parts.ts'
import { connectSteps } from './harness/connect-steps.ts'
import { makeDevice } from './harness/devices.ts'
import { watchLayoutShift } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

/** Nobody notices a smaller layout shift. */
const maxLayoutShift = 0.01
/** The widest label, without a place to break it. */
const longestLabel = 'W'.repeat(64)

test(
  'Connect without a device and Account with one load without layout shifts',
  { tag: '@long' },
  async ({ page, user: _user }) => {
    const layoutShift = await watchLayoutShift(page)
    await page.goto('/connect')
    await expect(connectSteps(page).choose.getByLabel('Label', { exact: true })).toBeVisible()
    expect(await layoutShift()).toBeLessThan(maxLayoutShift)
    await makeDevice(page.context().request, { label: longestLabel })
    await page.goto('/account')
    await expect(accountParts(page).publicRows).toHaveCount(1)
    expect(await layoutShift()).toBeLessThan(maxLayoutShift)
  },
)
