import { globeParts } from './harness/globe-parts.ts'
import { expectAccessible } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

const places = [
  'Australia',
  'New South Wales',
  'Victoria',
  'Queensland',
  'Western Australia',
  'South Australia',
  'Tasmania',
  'Northern Territory',
  'Australian Capital Territory',
]

test.beforeEach(async ({ page, user: _user }) => {
  await page.goto('/observatory')
})

test('the globe turns to a country or a state, by mouse and by keyboard', async ({ page }) => {
  const globe = globeParts(page)
  const jump = page.getByRole('button', { name: 'Jump to' })
  await expect(globe.canvas).toHaveAttribute('data-yaw')
  await jump.click()
  await expect(page.getByRole('menuitem')).toHaveText(places)
  await page.getByRole('menuitem', { name: 'Tasmania' }).click()
  await globe.rest({ view: 'earth', yawDeg: 146.59, pitchDeg: -42.02 })
  await expect(jump).toBeFocused()

  const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await page.keyboard.press('Enter')
  await expect(item('Australia')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(item('New South Wales')).toBeFocused()
  await page.keyboard.press('v')
  await expect(item('Victoria')).toBeFocused()
  await page.keyboard.press('Enter')
  await globe.rest({ yawDeg: 144.28, pitchDeg: -36.85 })

  await page.keyboard.press('Enter')
  await expect(item('Australia')).toBeFocused()
  await page.keyboard.press('Enter')
  await globe.rest({ yawDeg: 133, pitchDeg: -27 })
})

test('the table comes with the first use; where that fails, it can be tried again', async ({
  page,
  problems,
}) => {
  problems.expectFailure('dropped')
  const jump = page.getByRole('button', { name: 'Jump to' })
  await page.route('**/assets/country-menu-*.js', (route) => route.abort())
  await jump.click()
  await expect(page.getByText('The countries could not be loaded')).toBeVisible()
  await page.unroute('**/assets/country-menu-*.js')
  await jump.click()
  await expect(page.getByRole('menuitem')).toHaveCount(places.length)
  await expectAccessible(page)
})
