import { listOwnDevices } from '@astropelago/contract/devices'
import { nameMaxLength } from '@astropelago/contract/limits'
import { accountParts } from './harness/account-parts.ts'
import { countFetches } from './harness/count-fetches.ts'
import { deviceForm } from './harness/device-form.ts'
import { makeDevice } from './harness/devices.ts'
import { blockFeed } from './harness/feed-blockade.ts'
import { expect, test } from './harness/test.ts'

test('it shows the username and, if present, the name, which can be changed and taken away', async ({
  page,
  user,
}) => {
  await page.goto('/account')
  const { profile } = accountParts(page)
  await expect(profile).toContainText(user.username)
  await expect(profile).toContainText('No display name')
  const edit = profile.getByRole('button', { name: 'Edit name' })
  const name = profile.getByLabel('Display name')

  await edit.click()
  await expect(name).toBeFocused()
  await name.fill('  Ada of the Harbour  ')
  await page.keyboard.press('Enter')
  await expect(edit).toBeFocused()
  await expect(profile.getByText('Ada of the Harbour', { exact: true })).toBeVisible()
  await page.reload()
  await expect(profile.getByText('Ada of the Harbour', { exact: true })).toBeVisible()

  await edit.click()
  await expect(name).toHaveValue('Ada of the Harbour')
  await name.fill('')
  await profile.getByRole('button', { name: 'Save name' }).click()
  await expect(profile).toContainText('No display name')
})

test('a name that is refused says why at its field, and a dropped connection too; nothing is lost', async ({
  page,
  problems,
  user,
}) => {
  problems.expectFailure(400, 'dropped')
  await page.goto('/account')
  const { profile } = accountParts(page)
  await expect(profile).toContainText(user.username)
  await profile.getByRole('button', { name: 'Edit name' }).click()
  const name = profile.getByLabel('Display name')
  const long = 'x'.repeat(nameMaxLength + 1)
  await name.fill(long)
  await page.keyboard.press('Enter')
  await expect(name).toHaveAccessibleDescription(/^A name has at most 64 characters/)
  await expect(name).toHaveValue(long)
  await name.fill('Ada')
  await page.route('**/api/me', (route) => route.abort('connectionreset'))
  await page.keyboard.press('Enter')
  await expect(name).toHaveAccessibleDescription(
    /^The connection failed\. Check it and try again\./,
  )
  await expect(name).toHaveValue('Ada')
  await page.unroute('**/api/me')
  await page.keyboard.press('Enter')
  await expect(profile.getByText('Ada', { exact: true })).toBeVisible()
})

test('[S14] Log out goes to /, and the old cookie is dead', async ({ page, user }) => {
  const cookies = await page.context().cookies()
  await page.goto('/account')
  const { profile } = accountParts(page)
  await expect(profile).toContainText(user.username)
  await profile.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: /^Account / })).toHaveCount(0)
  await page.context().addCookies(cookies)
  expect((await page.context().request.get('/api/me')).status()).toBe(401)
})

test('without devices each list says what to do next, and leads to Connect', async ({
  page,
  user,
}) => {
  await page.goto('/account')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  const { publicPart, privatePart } = accountParts(page)
  await expect(publicPart).toContainText('No public devices yet')
  await expect(privatePart).toContainText('No private devices yet')
  await publicPart.getByRole('link', { name: 'Connect a device' }).click()
  await expect(page).toHaveURL('/connect')
})

test('the table has the first 12 characters of the id, label, lat and lon with 3 decimals, status as a word, and a safe link', async ({
  page,
  user,
}) => {
  expect(user.username).toBeDefined()
  const { id } = await makeDevice(page.context().request, {
    label: '<b>Harbour</b> Pi',
    lat: -33.86785,
    lon: 151.2,
    link: 'https://harbour.example/chat',
  })
  await page.goto('/account')
  const { publicRows } = accountParts(page)
  const cells = publicRows.getByRole('cell')
  await expect(cells.nth(0)).toHaveText(id.slice(0, 12))
  await expect(cells.nth(1)).toHaveText('<b>Harbour</b> Pi')
  await expect(cells.nth(2)).toHaveText('-33.868')
  await expect(cells.nth(3)).toHaveText('151.200')
  await expect(cells.nth(4)).toContainText('unknown')
  const link = cells.nth(5).getByRole('link')
  await expect(link).toHaveAttribute('href', 'https://harbour.example/chat')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(link).toHaveAttribute('rel', /noreferrer/)
})

test('private devices stand apart from public ones, on a phone too, and strangers’ in neither', async ({
  page,
  user,
  browser,
  baseURL,
}) => {
  expect(user.username).toBeDefined()
  const request = page.context().request
  await makeDevice(request, { label: 'Lighthouse' })
  await makeDevice(request, { label: 'Cellar', visibility: 'private' })
  const stranger = await browser.newContext({ ...(baseURL && { baseURL }) })
  await stranger.request.post('/api/auth/demo')
  await makeDevice(stranger.request, { label: 'Elsewhere' })
  await stranger.close()

  await page.goto('/account')
  const { publicRows, privateRows, publicPart, privatePart } = accountParts(page)
  await expect(publicRows).toHaveCount(1)
  await expect(publicRows).toContainText('Lighthouse')
  await expect(privateRows).toHaveCount(1)
  await expect(privateRows).toContainText('Cellar')
  await page.setViewportSize({ width: 360, height: 800 })
  await expect(publicPart.getByRole('listitem')).toHaveCount(1)
  await expect(publicPart.getByRole('listitem')).toContainText('Lighthouse')
  await expect(privatePart.getByRole('listitem')).toContainText('Cellar')
  await expect(page.getByText('Elsewhere')).toHaveCount(0)
})

test('without the feed the list is asked for every 10 s, and shows a change without a reload', async ({
  page,
  problems,
  user,
}) => {
  await blockFeed(page, problems)
  expect(user.username).toBeDefined()
  const request = page.context().request
  const { id } = await makeDevice(request)
  const fetches = await countFetches(page, listOwnDevices.path)
  await page.clock.install()
  await page.goto('/account')
  const { publicRows } = accountParts(page)
  await expect(publicRows).toContainText('unknown')
  await page.clock.pauseAt(Date.now() + 60_000)
  await fetches.quiet()
  const before = await fetches.asked()
  // In small steps, since a page that waits for an answer asks no second time.
  for (let steps = 0; steps < 12; steps += 1) {
    await page.clock.runFor(2500)
    await fetches.quiet()
  }
  expect(await fetches.asked()).toBe(before + 3)

  await request.post(`/api/devices/heartbeat?id=${id}`)
  await page.clock.runFor(10_000)
  const isOnline = async () => {
    // The page takes in an answer by a timer of its own, which stands still as well.
    await page.clock.runFor(10)
    return publicRows.getByText('online', { exact: true }).isVisible()
  }
  await expect.poll(isOnline).toBe(true)
})

test('a list that can’t be loaded anew stays, with a quiet line that tries again', async ({
  page,
  problems,
  user,
}) => {
  problems.expectFailure('dropped')
  expect(user.username).toBeDefined()
  await blockFeed(page, problems)
  await makeDevice(page.context().request, { label: 'Lighthouse' })
  await page.clock.install()
  await page.goto('/account')
  const { publicRows } = accountParts(page)
  await expect(publicRows).toContainText('Lighthouse')
  await page.route('**/api/me/devices', (route) => route.abort('connectionreset'))
  const line = page.getByText('Your devices could not be updated')
  await expect(async () => {
    await page.clock.runFor(5000)
    await expect(line).toBeVisible({ timeout: 300 })
  }).toPass()
  await expect(publicRows).toContainText('Lighthouse')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unroute('**/api/me/devices')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(line).toHaveCount(0)
})

test('a form that is filled in stays filled in while the list is asked for anew', async ({
  page,
  problems,
  user,
}) => {
  expect(user.username).toBeDefined()
  await blockFeed(page, problems)
  await page.clock.install()
  await page.goto('/account')
  const form = deviceForm(accountParts(page).register)
  const typed = { label: 'Half a name', lat: '1', lon: '', link: '' }
  await form.enter(typed)
  const asked = page.waitForResponse('**/api/me/devices')
  await page.clock.runFor(10_000)
  await asked
  expect(await form.typed()).toEqual(typed)
})
