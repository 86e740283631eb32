import { accountParts } from '../harness/account-parts.ts'
import { connectSteps } from '../harness/connect-steps.ts'
import { deviceForm } from '../harness/device-form.ts'
import { makeDevice, makeToken, sendHeartbeat } from '../harness/devices.ts'
import { flippingDevice } from '../harness/flipping-device.ts'
import { takePictures } from '../harness/take-pictures.ts'
import { expect, test } from '../harness/test.ts'

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test('account without devices, and with refused forms', async ({ page, problems }) => {
  problems.expectFailure(400)
  await page.goto('/account')
  const { register, registerButton, publicPart } = accountParts(page)
  await expect(publicPart).toContainText('No public devices yet')
  await takePictures(page, 'account-empty')
  const form = deviceForm(register)
  await form.town.fill('san')
  await expect(form.towns.getByRole('option')).toHaveCount(8)
  await takePictures(page, 'account-towns')
  await form.town.press('Enter')
  await register.getByRole('button', { name: 'Pick on a map' }).click()
  await expect(register.getByRole('application')).toBeVisible()
  await takePictures(page, 'account-map')
  await form.enter({ label: 'Lighthouse', lat: '48,2', lon: '200', link: 'ftp://lighthouse' })
  await registerButton.click()
  await takePictures(page, 'account-number-refused')
  await form.lat.fill('91')
  await registerButton.click()
  await expect(form.alerts).toHaveCount(4)
  await takePictures(page, 'account-server-refused')
})

test('account with devices, and its dialogs', async ({ page }) => {
  const request = page.context().request
  const { id } = await makeDevice(request, { label: 'Lighthouse', link: 'https://light.example/' })
  await makeDevice(request, { label: 'W'.repeat(64), lat: -33.868, lon: 151.209 })
  await makeDevice(request, {
    label: 'منارة الميناء القديم',
    link: 'https://x.example/a/b/c/d/e/f/g',
  })
  await makeDevice(request, { label: 'Cellar', visibility: 'private' })
  const { token } = await makeToken(request, id, 'roof')
  await makeToken(request, id)
  await sendHeartbeat(request, token)
  await page.goto('/account')
  await expect(page.getByText('Lighthouse', { exact: true }).first()).toBeVisible()
  await takePictures(page, 'account-devices')
  const dialogs = {
    Edit: 'account-edit',
    'Tokens of': 'account-tokens',
    'Heartbeat command for': 'account-heartbeat',
    Delete: 'account-delete',
  }
  for (const [name, picture] of Object.entries(dialogs)) {
    await page.getByRole('button', { name: `${name} Lighthouse` }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await takePictures(page, picture)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('the other parts of account', async ({ page }) => {
  for (const [part, title] of [
    ['profile', 'Profile'],
    ['security', 'Password'],
    ['keys', 'Renew all device tokens'],
    ['data', 'Delete your account'],
  ] as const) {
    await page.goto(`/account/${part}`)
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
    await takePictures(page, `account-${part}`)
  }
})

test('account with a list that can’t be loaded', async ({ page, problems }) => {
  problems.expectFailure('dropped')
  await page.route('**/api/me/devices', (route) => route.abort('connectionreset'))
  await page.goto('/account')
  await expect(page.getByText('Your devices could not be loaded.')).toBeVisible()
  await takePictures(page, 'account-list-failed')
})

test('connect from the start to an online device', async ({ page, problems }) => {
  problems.expectFailure(400)
  await page.goto('/connect')
  const { choose, generate, shownToken, install, tab, watch } = connectSteps(page)
  const form = deviceForm(choose)
  await form.enter({ label: 'Harbour Pi', lat: '91', lon: '16.3738' })
  await takePictures(page, 'connect-start')
  await choose.getByRole('button', { name: 'Create device' }).click()
  await expect(form.alerts.first()).toBeVisible()
  await takePictures(page, 'connect-create-failed')
  await form.lat.fill('48.2082')
  await choose.getByRole('button', { name: 'Create device' }).click()
  await generate.waitFor()
  await takePictures(page, 'connect-device')
  await generate.click()
  await shownToken.waitFor()
  await takePictures(page, 'connect-token')
  for (const name of ['macOS', 'Windows', 'Other ways', 'Linux']) {
    await tab(name).click()
    for (const fold of await install.locator('summary').all()) await fold.click()
    await takePictures(page, `connect-${name.toLowerCase().replace(' ', '-')}`)
  }
  await sendHeartbeat(page.context().request, (await shownToken.textContent()) ?? '')
  await expect(watch.getByText('online', { exact: true })).toBeVisible()
  await takePictures(page, 'connect-online')
})

test('connect with many devices, and after a long wait', async ({ page }) => {
  const request = page.context().request
  const { id } = await makeDevice(request, { label: 'Harbour Pi' })
  for (let made = 1; made < 12; made += 1) await makeDevice(request, { label: `Buoy ${made}` })
  await page.clock.install()
  await page.goto(`/connect?device=${id}`)
  await expect(connectSteps(page).watch).toContainText('Waiting for')
  await page.clock.fastForward(121_000)
  await expect(connectSteps(page).watch).toContainText('Check these')
  await takePictures(page, 'connect-long-wait')
})

test('a device’s page, before and after its first heartbeat', async ({ page }) => {
  const { device, comeOnline } = await flippingDevice(page.context().request, {
    label: 'Lighthouse',
    link: 'https://light.example/',
  })
  await page.goto(`/devices/${device.id}`)
  await expect(page.getByText('No heartbeat yet')).toBeVisible()
  await takePictures(page, 'device-silent')
  await comeOnline()
  await expect(page.getByRole('region', { name: 'Log' })).toContainText('Came online')
  await takePictures(page, 'device')
})
