import { expectAccessible } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

/** Two countries of the map, and those between them in the specification's table. */
const places = [
  'Armenia',
  'Australia',
  'New South Wales',
  'Victoria',
  'Queensland',
  'Western Australia',
  'South Australia',
  'Tasmania',
  'Northern Territory',
  'Australian Capital Territory',
  'Austria',
]

// Without devices of other tests, because countries with devices come first.
test.use({ seed: { devices: [] } })

test.beforeEach(async ({ page, user: _user }) => {
  await page.goto('/observatory')
})

test(
  'the countries load at their first use, and can be retried after a failure',
  { tag: '@long' },
  async ({ page, problems }) => {
    problems.expectFailure('dropped')
    const jump = page.getByRole('button', { name: 'Jump to' })
    await page.route('**/assets/country-menu-*.js', (route) => route.abort())
    await jump.click()
    await expect(page.getByText('The countries could not be loaded', { exact: true })).toBeVisible()
    await page.unroute('**/assets/country-menu-*.js')
    await jump.click()
    await expect(page.getByRole('menuitem').first()).toHaveText('Afghanistan')
    const names = await page.getByRole('menuitem').allTextContents()
    const first = names.indexOf('Armenia')
    expect(names.slice(first, first + places.length)).toEqual(places)
    await expectAccessible(page)
  },
)
