import { listDeviceTokens, listOwnDevices, tokenHeartbeat } from '@astropelago/contract/devices'
import { accountParts } from './harness/account-parts.ts'
import { askApi } from './harness/ask-api.ts'
import { codeOf } from './harness/connect-steps.ts'
import { deviceForm } from './harness/device-form.ts'
import { makeDevice, makeToken, sendHeartbeat } from './harness/devices.ts'
import { expect, test } from './harness/test.ts'
import { commandAtOnce } from './harness/throwaway-home.ts'

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test('Edit changes a device: its label, place and visibility, and an emptied link is taken away', async ({
  page,
}) => {
  await makeDevice(page.context().request, { label: 'Lighthouse', link: 'https://old.example/' })
  await page.goto('/account')
  const { publicRows, privateRows, dialog } = accountParts(page)
  const edit = page.getByRole('button', { name: 'Edit Lighthouse' })
  await edit.click()
  const form = deviceForm(dialog('Edit device'))
  expect(await form.typed()).toEqual({
    label: 'Lighthouse',
    lat: '48.2082',
    lon: '16.3738',
    link: 'https://old.example/',
  })
  await form.enter({ label: 'Old lighthouse', lat: '-1', lon: '2.5', link: '' })
  await form.isPrivate.check()
  await page.keyboard.press('Enter')
  await expect(dialog('Edit device')).toHaveCount(0)
  await expect(publicRows).toHaveCount(0)
  const cells = privateRows.getByRole('cell')
  await expect(cells.nth(1)).toHaveText('Old lighthouse')
  await expect(cells.nth(2)).toHaveText('-1.000')
  await expect(cells.nth(3)).toHaveText('2.500')
  await expect(privateRows.getByRole('link')).toHaveCount(0)
  const [device] = (await askApi(page.context().request, listOwnDevices)) ?? []
  expect(device).toMatchObject({ label: 'Old lighthouse', link: null, visibility: 'private' })
})

test('an edit that is refused stays open, says why and loses nothing; Escape returns the focus', async ({
  page,
  problems,
}) => {
  problems.expectFailure(400)
  await makeDevice(page.context().request, { label: 'Lighthouse' })
  await page.goto('/account')
  const { dialog, publicRows } = accountParts(page)
  const edit = page.getByRole('button', { name: 'Edit Lighthouse' })
  await edit.click()
  const form = deviceForm(dialog('Edit device'))
  await form.lat.fill('-91')
  await page.keyboard.press('Enter')
  await expect(form.lat).toHaveAccessibleDescription(/^Latitude is a number from -90 to 90\./)
  await expect(form.lat).toHaveValue('-91')
  await page.keyboard.press('Escape')
  await expect(dialog('Edit device')).toHaveCount(0)
  await expect(edit).toBeFocused()
  await expect(publicRows.getByRole('cell').nth(2)).toHaveText('48.208')
})

test('Delete asks first: Keep it keeps the device, Delete device takes it with its tokens', async ({
  page,
}) => {
  const request = page.context().request
  const { id } = await makeDevice(request, { label: 'Lighthouse' })
  const { token } = await makeToken(request, id)
  await page.goto('/account')
  const { dialog, publicRows, publicPart } = accountParts(page)
  const remove = page.getByRole('button', { name: 'Delete Lighthouse' })
  const question = dialog('Delete this device?')
  await remove.click()
  await expect(question).toContainText('Lighthouse')
  await question.getByRole('button', { name: 'Keep it' }).click()
  await expect(question).toHaveCount(0)
  await expect(publicRows).toHaveCount(1)

  await remove.click()
  await question.getByRole('button', { name: 'Delete device' }).click()
  await expect(question).toHaveCount(0)
  await expect(publicPart).toContainText('No public devices yet')
  expect(await askApi(request, listOwnDevices)).toEqual([])
  const headers = { authorization: `Bearer ${token}` }
  expect((await request.post(tokenHeartbeat.path, { headers })).status()).toBe(401)
})

test('a delete that gets no answer says so and can be retried', async ({ page, problems }) => {
  problems.expectFailure('dropped')
  const { id } = await makeDevice(page.context().request, { label: 'Lighthouse' })
  await page.goto('/account')
  const { dialog, publicPart } = accountParts(page)
  await page.getByRole('button', { name: 'Delete Lighthouse' }).click()
  const question = dialog('Delete this device?')
  await page.route(`**/api/devices/${id}`, (route) => route.abort('connectionreset'))
  await question.getByRole('button', { name: 'Delete device' }).click()
  await expect(question.getByRole('alert')).toHaveText(
    'The connection failed. Check it and try again.',
  )
  await page.unroute(`**/api/devices/${id}`)
  await question.getByRole('button', { name: 'Delete device' }).click()
  await expect(publicPart).toContainText('No public devices yet')
})

test('Tokens lists each one by its first characters, label and last use, and never whole', async ({
  page,
}) => {
  const request = page.context().request
  const { id } = await makeDevice(request, { label: 'Lighthouse' })
  const used = await makeToken(request, id, 'roof')
  await makeToken(request, id)
  await sendHeartbeat(request, used.token)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Tokens of Lighthouse' }).click()
  const dialog = accountParts(page).dialog('Device tokens')
  const items = dialog.getByRole('listitem')
  await expect(items).toHaveCount(2)
  await expect(items.filter({ hasText: 'roof' })).toContainText(used.token.slice(0, 8))
  await expect(items.filter({ hasText: 'roof' })).toContainText('last used')
  await expect(items.filter({ hasNotText: 'roof' })).toContainText('never used')
  expect(await dialog.innerHTML()).not.toContain(used.token)
  await dialog.getByRole('link', { name: 'Generate a token' }).click()
  await expect(page).toHaveURL(`/connect?device=${id}`)
})

test('[S22] Revoke asks first, and the token stops working at once', async ({ page }) => {
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
  // The button that had the focus is gone; it must not have gone with it.
  await expect(page.locator('[role=dialog]:focus-within')).toHaveCount(1)
})

test('the heartbeat by session cookie: the password is typed into a terminal, the jar is one’s own, and the device is online', async ({
  page,
  home,
  user,
}) => {
  const { id } = await makeDevice(page.context().request, { label: 'Lighthouse' })
  await page.clock.install()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Heartbeat command for Lighthouse' }).click()
  const dialog = accountParts(page).dialog('Heartbeat by session cookie')
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
