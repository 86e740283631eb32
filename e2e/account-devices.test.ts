import { listDeviceTokens, tokenHeartbeat } from '@astropelago/contract/devices'
import { accountParts } from './harness/account-parts.ts'
import { askApi } from './harness/ask-api.ts'
import { codeOf } from './harness/connect-steps.ts'
import { deviceForm } from './harness/device-form.ts'
import { makeDevice, makeToken, sendHeartbeat } from './harness/devices.ts'
import { expect, test } from './harness/test.ts'
import { commandAtOnce } from './harness/throwaway-home.ts'

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test('registering, changing and deleting a device each survive a reload', async ({ page }) => {
  await page.goto('/account')
  const { register, registerButton, publicRows, privateRows, dialog } = accountParts(page)
  await deviceForm(register).enter({ label: 'Lighthouse', lat: '48.2082', lon: '16.3738' })
  await registerButton.click()
  await expect(publicRows).toContainText('Lighthouse')
  await page.getByRole('button', { name: 'Edit Lighthouse' }).click()
  const form = deviceForm(dialog('Edit device'))
  await form.label.fill('Cellar')
  await form.isPrivate.check()
  await page.keyboard.press('Enter')
  await expect(privateRows).toContainText('Cellar')
  await page.reload()
  await expect(privateRows).toContainText('Cellar')
  await page.getByRole('button', { name: 'Delete Cellar' }).click()
  await dialog('Delete this device?').getByRole('button', { name: 'Delete device' }).click()
  await expect(privateRows).toHaveCount(0)
  await page.reload()
  await expect(register).toBeVisible()
  await expect(privateRows).toHaveCount(0)
})

test(
  '[S22] Revoke asks for confirmation, and the token stops working at once',
  { tag: '@long' },
  async ({ page }) => {
    const request = page.context().request
    const { id } = await makeDevice(request, { label: 'Lighthouse' })
    const { token } = await makeToken(request, id, 'roof')
    await makeToken(request, id, 'cellar')
    await page.goto('/account')
    await page.getByRole('button', { name: 'Tokens of Lighthouse' }).click()
    const dialog = accountParts(page).dialog('Device tokens')
    const item = dialog.getByRole('listitem').filter({ hasText: 'roof' })
    await item.getByRole('button', { name: /^Revoke apd_/ }).click()
    await expect(item.getByRole('button', { name: 'Keep it' })).toBeFocused()
    await item.getByRole('button', { name: 'Keep it' }).click()
    await sendHeartbeat(request, token)
    await item.getByRole('button', { name: /^Revoke apd_/ }).click()
    await item.getByRole('button', { name: 'Revoke token' }).click()
    await expect(item).toHaveCount(0)
    const headers = { authorization: `Bearer ${token}` }
    expect((await request.post(tokenHeartbeat.path, { headers })).status()).toBe(401)
    const left = await askApi(request, listDeviceTokens, { params: { id } })
    expect(left?.map(({ label }) => label)).toEqual(['cellar'])
    await expect(dialog.getByRole('listitem')).toHaveCount(1)
    // The focused button is gone. The focus must not be lost with it.
    await expect(page.locator('[role=dialog]:focus-within')).toHaveCount(1)
  },
)

test('the heartbeat with a session cookie asks for the password in a terminal, keeps the cookie file private, and brings the device online', async ({
  page,
  home,
  user,
}) => {
  const { id } = await makeDevice(page.context().request, { label: 'Lighthouse' })
  await page.clock.install()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Heartbeat command for Lighthouse' }).click()
  const dialog = accountParts(page).dialog('Heartbeat command')
  await dialog.getByRole('tab', { name: 'By session cookie' }).click()
  const textOf = async (title: string) =>
    (await codeOf(dialog.getByRole('figure', { name: title })).textContent()) ?? ''
  const signIn = await textOf('Sign in once')
  expect(signIn).not.toContain(user.password)
  await expect(dialog).toContainText('It ends with the session')

  const prompt = `Password of ${user.username}: `
  const refused = await home.paste(signIn, { prompt, answer: 'not the password' })
  expect(refused.status).toBe(1)
  expect(refused.output).toContain(`That is not the password of ${user.username}`)
  const signedIn = await home.paste(signIn, { prompt, answer: user.password })
  expect(signedIn.status, signedIn.output).toBe(0)
  expect(signedIn.output).not.toContain(user.password)
  expect(await home.modeOf(`.config/astropelago/${id}.cookies`)).toBe(0o600)

  const installed = await home.paste(await textOf('Then report every minute'))
  expect(installed.status, installed.output).toBe(0)
  const [line = ''] = await home.crontab()
  expect(line).toMatch(/^\* \* \* \* \* sleep \d{1,2}; /)
  expect(await home.run('sh', commandAtOnce(line))).toEqual({ status: 0, output: '' })

  await page.keyboard.press('Escape')
  await page.clock.runFor(10_000)
  await expect(accountParts(page).publicRows.getByText('online', { exact: true })).toBeVisible()
})
