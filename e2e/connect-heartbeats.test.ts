import { listOwnDevices, listPublicDevices, sessionHeartbeat } from '@astropelago/contract/devices'
import { askApi } from './harness/ask-api.ts'
import { codeOf, connectSteps } from './harness/connect-steps.ts'
import { countFetches } from './harness/count-fetches.ts'
import { blockFeed } from './harness/feed-blockade.ts'
import { makeDevice, makeToken, sendHeartbeat } from './harness/devices.ts'
import { expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { expect, test } from './harness/test.ts'
import { commandAtOnce } from './harness/throwaway-home.ts'

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test("what Cron's tab says to paste installs a line that runs under cron's shell and brings the device online", async ({
  page,
  home,
}) => {
  const request = page.context().request
  const { id } = await makeDevice(request, { label: 'Harbour Pi' })
  await page.goto(`/connect?device=${id}`)
  const { generate, install, watch } = connectSteps(page)
  await generate.click()
  const paste = install.getByRole('figure', { name: 'Paste this into a terminal' })
  await markDocument(page)

  const pasted = await home.paste((await codeOf(paste).textContent()) ?? '')
  expect(pasted.status, pasted.output).toBe(0)
  await expect(watch.getByText('online', { exact: true })).toBeVisible({ timeout: 2000 })
  await expectSameDocument(page)
  expect(await home.modeOf(`.config/astropelago/${id}.header`)).toBe(0o600)

  for (const fold of await install.locator('summary').all()) await fold.click()
  const [line = '', ...others] = await home.crontab()
  expect(others).toEqual([])
  expect(line).toMatch(/^\*\/2 \* \* \* \* sleep \d{1,3}; /)
  const token = await connectSteps(page).shownToken.textContent()
  expect(line).not.toContain(token)
  const installs = install.getByRole('figure', { name: 'The line in your crontab' })
  await expect(codeOf(installs)).toHaveText(line)
  expect(await home.run('sh', commandAtOnce(line))).toEqual({ status: 0, output: '' })

  const removal = install.getByRole('figure', { name: 'To stop it' })
  const removed = await home.paste((await codeOf(removal).textContent()) ?? '')
  expect(removed.status, removed.output).toBe(0)
  expect(await home.crontab()).toEqual([])
})

test('the try-it-now line says so when the token has been revoked', async ({ page, home }) => {
  const request = page.context().request
  const { id } = await makeDevice(request)
  await page.goto(`/connect?device=${id}`)
  const { generate, tryNow } = connectSteps(page)
  await generate.click()
  const command = (await tryNow.textContent()) ?? ''
  const tokens = await request.get(`/api/devices/${id}/tokens`)
  const [{ id: tokenId }] = await tokens.json()
  expect((await request.delete(`/api/devices/tokens/${tokenId}`)).status()).toBe(204)
  const { status, output } = await home.run('bash', command)
  expect(status).toBe(1)
  expect(output).toContain('The heartbeat did not arrive: see above.')
})

test('[P8] a private device comes online for its owner, and for nobody else', async ({ page }) => {
  const request = page.context().request
  const { id } = await makeDevice(request, { label: 'Cellar', visibility: 'private' })
  const { token } = await makeToken(request, id)
  await page.goto(`/connect?device=${id}`)
  const { watch } = connectSteps(page)
  await expect(watch).toContainText('Waiting for Cellar')
  await sendHeartbeat(request, token)
  await expect(watch).toContainText('Cellar is online')
  const listed = await askApi(request, listPublicDevices)
  expect(listed?.some((device) => device.id === id)).toBe(false)
})

test('without the feed step 4 asks every second while it waits, and every 10 s once the device is online', async ({
  page,
  problems,
}) => {
  await blockFeed(page, problems)
  const request = page.context().request
  const { id } = await makeDevice(request)
  const { token } = await makeToken(request, id)
  const fetches = await countFetches(page, listOwnDevices.path)
  await page.clock.install()
  await page.goto(`/connect?device=${id}`)
  const { watch } = connectSteps(page)
  await expect(watch).toContainText('Waiting for Harbour Pi')
  await page.clock.pauseAt(Date.now() + 60_000)
  await fetches.quiet()
  const whileWaiting = await fetches.asked()
  for (let second = 0; second < 3; second += 1) {
    await page.clock.runFor(1000)
    await fetches.quiet()
  }
  expect(await fetches.asked()).toBe(whileWaiting + 3)

  await sendHeartbeat(request, token)
  await page.clock.runFor(1000)
  const isOnline = async () => {
    // The page takes in an answer by a timer of its own, which stands still as well.
    await page.clock.runFor(10)
    return watch.getByText('online', { exact: true }).isVisible()
  }
  await expect.poll(isOnline).toBe(true)
  const whenOnline = await fetches.asked()
  await page.clock.runFor(9000)
  expect(await fetches.asked()).toBe(whenOnline)
  await page.clock.runFor(1000)
  expect(await fetches.asked()).toBe(whenOnline + 1)
})

test('before a device is selected the list is asked for once', async ({ page }) => {
  await makeDevice(page.context().request)
  const fetches = await countFetches(page, listOwnDevices.path)
  await page.clock.install()
  await page.goto('/connect')
  await expect(connectSteps(page).choose.getByRole('radio')).toHaveCount(1)
  await page.clock.runFor(30_000)
  expect(await fetches.asked()).toBe(1)
})

test('after two minutes without a heartbeat it says what to check', async ({ page }) => {
  const { id } = await makeDevice(page.context().request)
  await page.clock.install()
  await page.goto(`/connect?device=${id}`)
  const { watch } = connectSteps(page)
  await expect(watch).toContainText('Waiting for Harbour Pi')
  await page.clock.fastForward(119_000)
  await expect(watch).not.toContainText('Check these')
  await page.clock.fastForward(2000)
  await expect(watch).toContainText('Nothing yet? Check these:')
})

test('while the server does not answer, step 4 says so, keeps asking, and catches up', async ({
  page,
  problems,
}) => {
  await blockFeed(page, problems)
  const request = page.context().request
  const { id } = await makeDevice(request)
  await page.goto(`/connect?device=${id}`)
  const { watch } = connectSteps(page)
  await expect(watch).toContainText('Waiting for Harbour Pi')
  await page.route('**/api/me/devices', (route) => route.abort('connectionreset'))
  await expect(watch).toContainText('The server does not answer right now.')
  await request.post(`${sessionHeartbeat.path}?id=${id}`)
  await page.unroute('**/api/me/devices')
  await expect(watch).toContainText('Harbour Pi is online')
  await expect(watch).not.toContainText('The server does not answer right now.')
})

test('a change of status is said to those who listen', async ({ page }) => {
  const request = page.context().request
  const { id } = await makeDevice(request)
  await page.goto(`/connect?device=${id}`)
  const { watch } = connectSteps(page)
  const said = watch.locator('output[aria-live=polite]').first()
  await expect(said.or(watch.getByText('Waiting for Harbour Pi.')).first()).toBeAttached()
  await request.post(`${sessionHeartbeat.path}?id=${id}`)
  await expect(watch.getByText('Harbour Pi is online.', { exact: true })).toBeAttached()
})
