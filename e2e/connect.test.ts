import { errors } from '@astropelago/contract/errors'
import { tokensPerDevice } from '@astropelago/contract/limits'
import { connectSteps } from './harness/connect-steps.ts'
import { deviceForm } from './harness/device-form.ts'
import { makeDevice, makeToken } from './harness/devices.ts'
import { markDocument, expectSameDocument } from './harness/reload-mark.ts'
import { expect, test } from './harness/test.ts'

const createRoute = '**/api/devices/register'
const tokenRoute = '**/api/devices/token'
const steps = [
  'Select or create a device',
  'Generate a device token',
  'Install the heartbeat command',
  'Watch the device appear online',
]

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
// Every test here is about a user who is signed in.
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test('there are four steps; without a device the form is open, and step 2 says: Select a device', async ({
  page,
}) => {
  await page.goto('/connect')
  const { choose, token, install, watch } = connectSteps(page)
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(
    steps.map((name, index) => `${index + 1}. ${name}`),
  )
  await expect(deviceForm(choose).label).toBeVisible()
  await expect(token).toContainText('Select a device')
  for (const locked of [token, install, watch]) {
    await expect(locked.getByRole('button')).toHaveCount(0)
  }
})

test('a created device is in the list with the first 6 characters of its id, its label and unknown, and is selected', async ({
  page,
}) => {
  await page.goto('/connect')
  const { choose, generate, install, watch } = connectSteps(page)
  const form = deviceForm(choose)
  await expect(form.isPublic).toBeChecked()
  await form.enter({ label: 'Harbour Pi', lat: '48.2', lon: '16.4' })
  await choose.getByRole('button', { name: 'Create device' }).click()
  const choice = choose.getByRole('radio', { name: /Harbour Pi/ })
  await expect(choice).toBeChecked()
  const id = new URL(page.url()).searchParams.get('device') ?? ''
  await expect(choice).toHaveAccessibleName(`${id.slice(0, 6)} Harbour Pi unknown`)
  await expect(generate).toBeVisible()
  await expect(install.getByRole('figure')).toHaveCount(0)
  await expect(watch).toContainText('Waiting for Harbour Pi')
})

test('a refusal reads create_failed with the sentence beside it, stands at its field, and loses nothing', async ({
  page,
  problems,
}) => {
  problems.expectFailure(400)
  await page.goto('/connect')
  const { choose } = connectSteps(page)
  const form = deviceForm(choose)
  const typed = { label: 'Harbour Pi', lat: '91', lon: '200', link: 'javascript:alert(1)' }
  await form.enter(typed)
  await choose.getByRole('button', { name: 'Create device' }).click()
  await expect(form.alerts.filter({ hasText: 'create_failed' })).toHaveText(
    `create_failed: ${errors.invalid_device.sentence}`,
  )
  await expect(form.lat).toHaveAccessibleDescription(/^Latitude is a number from -90 to 90\./)
  await expect(form.lon).toHaveAccessibleDescription(/^Longitude is a number from -180 to 180\./)
  await expect(form.link).toHaveAccessibleDescription(/^A link is a whole http or https address/)
  expect(await form.typed()).toEqual(typed)
})

test('a device that gets no answer reads create_failed, says why, and can be retried', async ({
  page,
  problems,
}) => {
  problems.expectFailure('dropped')
  await page.goto('/connect')
  const { choose } = connectSteps(page)
  const form = deviceForm(choose)
  const typed = { label: 'Harbour Pi', lat: '48.2', lon: '16.4', link: 'https://pi.example/' }
  await form.enter(typed)
  await page.route(createRoute, (route) => route.abort('connectionreset'))
  await choose.getByRole('button', { name: 'Create device' }).click()
  await expect(form.alerts).toHaveText(
    'create_failed: The connection failed. Check it and try again.',
  )
  expect(await form.typed()).toEqual(typed)
  await page.unroute(createRoute)
  await choose.getByRole('button', { name: 'Create device' }).click()
  await expect(choose.getByRole('radio', { name: /Harbour Pi/ })).toBeChecked()
})

test('the selected device is in the address, so a reload keeps it; another can be chosen without a check', async ({
  page,
}) => {
  const request = page.context().request
  const first = await makeDevice(request, { label: 'First' })
  const second = await makeDevice(request, { label: 'Second' })
  await page.goto(`/connect?device=${first.id}`)
  const { choose, token } = connectSteps(page)
  await expect(choose.getByRole('radio', { name: /First/ })).toBeChecked()
  let checks = 0
  page.on('request', (asked) => {
    if (new URL(asked.url()).pathname === '/api/me') checks += 1
  })
  await markDocument(page)
  await choose.getByText('Second').click()
  await expect(page).toHaveURL(`/connect?device=${second.id}`)
  await expect(token).toContainText('Second')
  await expectSameDocument(page)
  expect(checks).toBe(0)
  await page.reload()
  await expect(choose.getByRole('radio', { name: /Second/ })).toBeChecked()
})

test('an address with a device that is not one’s own selects nothing', async ({ page }) => {
  await makeDevice(page.context().request)
  await page.goto('/connect?device=00000000-0000-4000-8000-000000000000')
  const { choose, token } = connectSteps(page)
  await expect(choose.getByRole('radio')).not.toBeChecked()
  await expect(token).toContainText('Select a device')
})

test('[S19] the token is shown once, and is in no address, storage or later page', async ({
  page,
}) => {
  const { id } = await makeDevice(page.context().request)
  await page.goto(`/connect?device=${id}`)
  const { generate, shownToken, token, install } = connectSteps(page)
  await generate.click()
  await expect(shownToken).toHaveText(/^apd_[\w-]{43}$/)
  await expect(token).toContainText('This token is shown only once.')
  const secret = (await shownToken.textContent()) ?? ''
  expect(page.url()).not.toContain(secret)
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expect(stored).not.toContain(secret)

  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
  await page.goBack()
  await expect(generate).toBeVisible()
  await expect(shownToken).toHaveCount(0)
  await expect(install.getByRole('figure')).toHaveCount(0)
})

test('a token that gets no answer reads token_failed, and can be retried', async ({
  page,
  problems,
}) => {
  problems.expectFailure('dropped')
  const { id } = await makeDevice(page.context().request)
  await page.goto(`/connect?device=${id}`)
  const { generate, token, shownToken } = connectSteps(page)
  const label = token.getByLabel('Token label')
  await label.fill('roof')
  await page.route(tokenRoute, (route) => route.abort('connectionreset'))
  await generate.click()
  await expect(token.getByRole('alert')).toHaveText(
    'token_failed: The connection failed. Check it and try again.',
  )
  await expect(label).toHaveValue('roof')
  await page.unroute(tokenRoute)
  await generate.click()
  await expect(shownToken).toBeVisible()
})

test('a refused token shows the error field: a device can have so many tokens and no more', async ({
  page,
  problems,
}) => {
  problems.expectFailure(409)
  const request = page.context().request
  const { id } = await makeDevice(request)
  await Promise.all(Array.from({ length: tokensPerDevice }, () => makeToken(request, id)))
  await page.goto(`/connect?device=${id}`)
  const { generate, token, shownToken } = connectSteps(page)
  await generate.click()
  await expect(token.getByRole('alert')).toHaveText(errors.token_limit.sentence)
  await expect(shownToken).toHaveCount(0)
})

test('each of the four ways has its commands, and each copy button copies exactly the text', async ({
  page,
}) => {
  const { id } = await makeDevice(page.context().request)
  await page.goto(`/connect?device=${id}`)
  const { generate, install, token, tab } = connectSteps(page)
  await generate.click()
  const expectCopied = async (part: typeof install) => {
    const figures = part.getByRole('figure')
    const count = await figures.count()
    for (let index = 0; index < count; index += 1) {
      const figure = figures.nth(index)
      // Said for 2.5 s, which a busy machine may sleep through.
      await expect(async () => {
        await figure.getByRole('button').click()
        await expect(figure.getByRole('button')).toHaveText('Copied', { timeout: 2000 })
      }).toPass()
      const text = await figure.locator('code').textContent()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    }
    return count
  }
  await expect(install.getByRole('figure')).not.toHaveCount(0)
  expect(await expectCopied(token)).toBe(1)
  await expect(install.getByRole('tab')).toHaveText(['Cron', 'systemd', 'macOS', 'Windows'])
  for (const name of ['Cron', 'systemd', 'macOS', 'Windows']) {
    await tab(name).click()
    for (const fold of await install.locator('summary').all()) await fold.click()
    expect(await expectCopied(install), name).toBeGreaterThanOrEqual(4)
  }
})

test('the commands are built from PUBLIC_URL, however the page was reached', async ({
  page,
  server,
}) => {
  const reached = server.url.replace('localhost', '127.0.0.1')
  await page.goto(`${reached}/explore?signin=1`)
  const demo = page.getByRole('dialog').getByRole('button', { name: 'Demo' })
  await demo.click()
  await expect(page.getByRole('link', { name: /^Account / })).toBeVisible()
  await page.goto(`${reached}/connect`)
  const { choose, generate, tryNow } = connectSteps(page)
  await deviceForm(choose).enter({ label: 'Harbour Pi', lat: '48.2', lon: '16.4' })
  await choose.getByRole('button', { name: 'Create device' }).click()
  await generate.click()
  await expect(tryNow).toContainText(`${server.url}/api/devices/heartbeat-token`)
  await expect(tryNow).not.toContainText('127.0.0.1')
})
