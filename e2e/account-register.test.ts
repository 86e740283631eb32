import { errors } from '@astropelago/contract/errors'
import { devicesPerDemoUser } from '@astropelago/contract/limits'
import { accountParts } from './harness/account-parts.ts'
import { deviceForm } from './harness/device-form.ts'
import { makeDevice } from './harness/devices.ts'
import { expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { expect, test } from './harness/test.ts'

const route = '**/api/devices/register'
const notANumber = 'Enter a number such as 48.2; use a point, not a comma.'
const lighthouse = { label: 'Lighthouse', lat: '48.2082', lon: '16.3738' }

test.describe('Register a Device', () => {
  test.beforeEach(async ({ page, user }) => {
    await page.goto('/account')
    await expect(accountParts(page).profile).toContainText(user.username)
  })

  test('asks for label, lat, lon, an optional link and visibility: public at first, and beside it who will see the place', async ({
    page,
  }) => {
    const { register, registerButton, publicRows, privateRows } = accountParts(page)
    const form = deviceForm(register)
    await expect(form.isPublic).toBeChecked()
    await expect(form.isPublic).toHaveAccessibleDescription(
      'Everyone on the internet sees its label, place, status and link.',
    )
    await expect(form.isPrivate).toHaveAccessibleDescription('Only you see it.')
    await markDocument(page)
    const sent = page.waitForRequest(route)
    await form.enter(lighthouse)
    await registerButton.click()
    expect((await sent).postDataJSON()).toEqual({
      label: 'Lighthouse',
      lat: 48.2082,
      lon: 16.3738,
      visibility: 'public',
    })
    await expect(publicRows).toContainText('Lighthouse')
    await expect(publicRows).toContainText('unknown')
    expect(await form.typed()).toEqual({ label: '', lat: '', lon: '', link: '' })

    await form.enter({ ...lighthouse, label: 'Cellar', link: ' https://cellar.example ' })
    await form.isPrivate.check()
    await page.keyboard.press('Enter')
    await expect(privateRows).toContainText('Cellar')
    await expect(privateRows.getByRole('link')).toHaveAttribute('href', 'https://cellar.example/')
    await expectSameDocument(page)
    await register.getByRole('link', { name: 'Connect it now' }).click()
    await expect(page).toHaveURL(/\/connect\?device=/)
  })

  test('what is missing or no number is refused at its field, unsent and with nothing lost', async ({
    page,
  }) => {
    let sent = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/devices/register')) sent += 1
    })
    const { register, registerButton } = accountParts(page)
    const form = deviceForm(register)
    await registerButton.click()
    await expect(form.label).toHaveAccessibleDescription(/^Enter a label\./)
    await expect(form.label).toBeFocused()
    for (const text of ['', '   ', '48,2', '0x30', 'north', '1 2', 'Infinity', 'NaN', '48.2°']) {
      await form.enter({ label: 'Lighthouse', lat: text, lon: text })
      await registerButton.click()
      for (const field of [form.lat, form.lon]) {
        await expect(field, text).toHaveAccessibleDescription(new RegExp(`^${notANumber}`))
      }
      await expect(form.lat).toBeFocused()
      expect(await form.typed()).toEqual({ label: 'Lighthouse', lat: text, lon: text, link: '' })
    }
    expect(sent).toBe(0)
  })

  test('numbers are read as Number() reads the trimmed text', async ({ page }) => {
    const { register, registerButton, publicRows } = accountParts(page)
    const form = deviceForm(register)
    await form.enter({ label: 'Lighthouse', lat: ' -4.5e1 ', lon: '+.5' })
    await registerButton.click()
    await expect(publicRows.getByRole('cell').nth(2)).toHaveText('-45.000')
    await expect(publicRows.getByRole('cell').nth(3)).toHaveText('0.500')
  })

  test('no bounds are checked here: the server’s refusal is shown, in words and at its fields, and can be mended', async ({
    page,
    problems,
  }) => {
    problems.expectFailure(400)
    const { register, registerButton, publicRows } = accountParts(page)
    const form = deviceForm(register)
    const typed = {
      label: 'x'.repeat(65),
      lat: '90.001',
      lon: '-180.001',
      link: 'javascript:alert(1)',
    }
    await form.enter(typed)
    await registerButton.click()
    await expect(form.alerts.filter({ hasText: errors.invalid_device.sentence })).toHaveCount(1)
    await expect(form.label).toHaveAccessibleDescription(/^A label has 1 to 64 characters/)
    await expect(form.lat).toHaveAccessibleDescription(/^Latitude is a number from -90 to 90\./)
    await expect(form.lon).toHaveAccessibleDescription(/^Longitude is a number from -180 to 180\./)
    await expect(form.link).toHaveAccessibleDescription(/^A link is a whole http or https address/)
    await expect(form.label).toBeFocused()
    expect(await form.typed()).toEqual(typed)
    await form.enter(lighthouse)
    await registerButton.click()
    await expect(publicRows).toContainText('Lighthouse')
    await expect(form.alerts).toHaveCount(0)
  })

  test('a dropped connection says so, loses nothing, and can be retried', async ({
    page,
    problems,
  }) => {
    problems.expectFailure('dropped')
    const { register, registerButton, publicRows } = accountParts(page)
    const form = deviceForm(register)
    const typed = { ...lighthouse, link: 'https://lighthouse.example/' }
    await form.enter(typed)
    await form.isPublic.check()
    await page.route(route, (request) => request.abort('connectionreset'))
    await registerButton.click()
    await expect(form.alerts).toHaveText('The connection failed. Check it and try again.')
    expect(await form.typed()).toEqual(typed)
    await page.unroute(route)
    await registerButton.click()
    await expect(publicRows).toContainText('Lighthouse')
  })

  test('an error without a text reads: error', async ({ page, problems }) => {
    problems.expectFailure(502)
    await page.route(route, (request) => request.fulfill({ status: 502, body: 'Bad gateway' }))
    const { register, registerButton } = accountParts(page)
    const form = deviceForm(register)
    await form.enter(lighthouse)
    await registerButton.click()
    await expect(form.alerts).toHaveText('error')
  })
})

test('as many devices as an account can hold is said by the server’s error text', async ({
  page,
  problems,
}) => {
  problems.expectFailure(409)
  const request = page.context().request
  await request.post('/api/auth/demo')
  for (let made = 0; made < devicesPerDemoUser; made += 1) await makeDevice(request)
  await page.goto('/account')
  const { register, registerButton } = accountParts(page)
  const form = deviceForm(register)
  await form.enter(lighthouse)
  await registerButton.click()
  await expect(form.alerts).toHaveText(errors.device_limit.sentence)
  expect(await form.typed()).toEqual({ ...lighthouse, link: '' })
})

test('a session that has ended is said, and signing in again is offered', async ({
  page,
  problems,
  user,
}) => {
  problems.expectFailure(401)
  await page.goto('/account')
  const { profile, register, registerButton } = accountParts(page)
  await expect(profile).toContainText(user.username)
  await page.context().clearCookies()
  const form = deviceForm(register)
  await form.enter(lighthouse)
  await registerButton.click()
  await expect(form.alerts).toHaveText(errors.signed_out.sentence)
  expect(await form.typed()).toEqual({ ...lighthouse, link: '' })
})
