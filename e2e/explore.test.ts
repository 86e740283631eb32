import type { Page } from '@playwright/test'
import { holdAnswer } from './harness/held-answer.ts'
import { expectAccessible, watchLayoutShift } from './harness/page-health.ts'
import { signInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

const modules = ['Harbor Logs', 'Signal Relay', 'Orbital Library', 'Island Builder']
const places = [
  { name: 'Account', path: '/account' },
  { name: 'Dashboard', path: '/dashboard' },
  { name: 'Observatory', path: '/observatory' },
]

/** Layout that jumps by less than this is not noticed. */
const maxLayoutShift = 0.01

function partsOf(page: Page) {
  return {
    lounge: page.getByRole('region', { name: 'Community Lounge' }),
    places: page.getByRole('region', { name: 'Your places' }),
    modules: page.getByRole('region', { name: 'Modules' }),
  }
}

test("a featured 'Community Lounge' card with buttons 'Join now' (to /discover) and 'Learn more' (to /thetravelerstavern)", async ({
  page,
}) => {
  await page.goto('/explore')
  const { lounge } = partsOf(page)
  await expect(lounge.getByRole('heading', { name: 'Community Lounge' })).toBeVisible()
  await expect(lounge.getByRole('link', { name: 'Join now' })).toHaveAttribute('href', '/discover')
  await expect(lounge.getByRole('link', { name: 'Learn more' })).toHaveAttribute(
    'href',
    '/thetravelerstavern',
  )
})

test("'Join now' leads a signed-in user to Discover", async ({ page, user }) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.getByRole('link', { name: 'Join now' }).click()
  await expect(page).toHaveURL('/discover')
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
})

test("'Join now' leads a visitor to the guard, which asks to sign in", async ({
  page,
  problems,
}) => {
  problems.expectFailure(401)
  await page.goto('/explore')
  await page.getByRole('link', { name: 'Join now' }).click()
  await expect(page).toHaveURL('/explore?signin=1')
  await expect(signInForm(page).dialog).toBeVisible()
})

for (const { name, path } of places) {
  test(`three cards, Account, Dashboard and Observatory, each with an Open button: ${name}`, async ({
    page,
    user,
  }) => {
    await page.goto('/explore')
    await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
    const card = partsOf(page).places.getByRole('article', { name })
    await card.getByRole('link', { name: 'Open' }).click()
    await expect(page).toHaveURL(path)
  })
}

test('signed-in users get tiles linking to /discover', async ({ page, user }) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  const section = partsOf(page).modules
  for (const name of modules) {
    await expect(section.getByRole('link', { name })).toHaveAttribute('href', '/discover')
  }
  await expect(section.getByRole('link')).toHaveCount(modules.length)
  await expect(section.getByText('Locked')).toHaveCount(0)
  await expect(section.getByRole('button')).toHaveCount(0)
})

for (const name of [...modules, 'Observatory']) {
  test(`signed-out users see ${name} marked 'Locked' with a 'Sign in to unlock' button`, async ({
    page,
  }) => {
    await page.goto('/explore')
    const tile = partsOf(page).modules.getByRole('article', { name })
    await expect(tile.getByText('Locked', { exact: true })).toBeVisible()
    await expect(tile.getByRole('link')).toHaveCount(0)
    const unlock = tile.getByRole('button', { name: 'Sign in to unlock' })
    await expect(unlock).toHaveAccessibleDescription(name)
    await unlock.click()
    await expect(signInForm(page).dialog).toBeVisible()
    await expect(page).toHaveURL('/explore')
  })
}

test("by keyboard: 'Sign in to unlock' opens the dialog, and Escape comes back to it", async ({
  page,
}) => {
  await page.goto('/explore')
  const tile = partsOf(page).modules.getByRole('article', { name: 'Signal Relay' })
  const unlock = tile.getByRole('button', { name: 'Sign in to unlock' })
  await unlock.focus()
  await page.keyboard.press('Enter')
  await expect(signInForm(page).username).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(signInForm(page).dialog).toHaveCount(0)
  await expect(unlock).toBeFocused()
})

test('the page of a signed-out visitor reads without JavaScript', async ({ request }) => {
  const html = await (await request.get('/explore')).text()
  for (const text of ['Community Lounge', 'Sign in to unlock', ...modules]) {
    expect(html).toContain(text)
  }
  expect(html).not.toMatch(/\sstyle=/)
})

test('while it is not known who is here no tile is locked, and nothing jumps when it is', async ({
  page,
  user,
}) => {
  const layoutShift = await watchLayoutShift(page)
  const answer = await holdAnswer(page, '/api/me')
  await page.goto('/explore')
  await answer.asked
  const section = partsOf(page).modules
  await expect(section.getByRole('heading', { name: 'Harbor Logs' })).toBeVisible()
  await expect(section.getByText('Locked')).toHaveCount(0)
  await expect(section.getByRole('link')).toHaveCount(0)
  const before = await section.boundingBox()
  answer.release()
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await expect(section.getByRole('link', { name: 'Harbor Logs' })).toBeVisible()
  expect(await section.boundingBox()).toEqual(before)
  expect(await layoutShift()).toBeLessThan(maxLayoutShift)
})

test('with the locked tiles axe finds nothing, and nothing overflows', async ({ page }) => {
  await page.goto('/explore')
  await expect(page.getByRole('button', { name: 'Sign in to unlock' }).first()).toBeVisible()
  await expectAccessible(page)
})

test('with the unlocked tiles axe finds nothing, and nothing overflows', async ({ page, user }) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Island Builder' })).toBeVisible()
  await expectAccessible(page)
})
