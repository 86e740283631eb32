import { once } from 'node:events'
import { createServer } from 'node:http'
import { getMe } from '@astropelago/contract/me'
import { listen } from '../apps/server/src/test/listen.ts'
import { askApi } from './harness/ask-api.ts'
import { codeOf } from './harness/connect-steps.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { signInForm } from './harness/sign-in-form.ts'
import { signUp } from './harness/sign-up.ts'
import { expect, test } from './harness/test.ts'

/** The service at home. */
async function openService() {
  const service = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="en"><title>At home</title><link rel="icon" href="data:,">
      <h1>Ahoy ${String(request.headers['astropelago-name'])}</h1></html>`)
  })
  const { port } = new URL(await listen(service))
  return {
    port,
    close: async () => {
      service.closeAllConnections()
      service.close()
      await once(service, 'close')
    },
  }
}

// An automatically created device is in the town of the browser's time zone.
test.use({ timezoneId: 'Europe/Vienna' })

test('a name, a port and a pasted block make an island that an invited friend can enter until the stop block is pasted', async ({
  page,
  browser,
  server,
  home,
  problems,
}) => {
  problems.expectFailure(401)
  const service = await openService()
  const { username, password } = newCredentials()
  const form = signInForm(page)
  const step = (name: string) => page.getByRole('region', { name, exact: true })
  const [say, paste, open] = [
    step('Say what you host'),
    step('Paste one block'),
    step('Open your island'),
  ]
  const name = say.getByLabel('Name', { exact: true })
  const port = say.getByLabel('Port or address', { exact: true })
  const show = say.getByRole('button', { name: 'Show the block to paste' })
  try {
    await page.goto('/connect?for=hosting')
    await form.username.fill(username)
    await form.password.fill(password)
    await form.register.click()
    await expect(say).toContainText('It is placed in Vienna')
    await name.fill('The Quay')
    await port.fill(service.port)

    // A user who was signed out signs in, and the typed text is still there.
    await page.context().clearCookies()
    await show.click()
    await expect(say.getByRole('alert')).toContainText('You are signed out.')
    await say.getByRole('button', { name: 'Sign in' }).click()
    await form.username.fill(username)
    await form.password.fill(password)
    await form.signIn.click()
    await expect(page.getByRole('link', { name: `Account ${username}` })).toBeVisible()
    await expect(name).toHaveValue('The Quay')
    await expect(port).toHaveValue(service.port)

    await show.click()
    const block = codeOf(paste.getByRole('figure', { name: /^Paste this into a terminal/ }))
    await expect(open).toContainText('Waiting for the agent of The Quay')
    const pasted = await home.paste((await block.textContent()) ?? '', undefined, 'bash')
    expect(pasted.status, pasted.output).toBe(0)
    expect(pasted.output).toContain('Visitors can come.')
    await expect(open).toContainText('The Quay is open')
    await expect(open).toContainText('Opened from this computer: yes')
    const there = codeOf(open.getByRole('figure', { name: 'Its address' }))
    const address = (await there.textContent()) ?? ''
    expect(address).toMatch(/^http:\/\/the-quay-[a-z0-9]{6}\.localhost:\d+\/$/)
    await open.getByRole('button', { name: 'Make an invitation for friends' }).click()
    const link = codeOf(open.getByRole('figure', { name: 'Invitation link' }))
    const invitation = (await link.textContent()) ?? ''

    const context = await browser.newContext({ baseURL: server.url })
    problems.watch(context)
    await signUp(context, server)
    const { user: friend } = await askApi(context.request, getMe)
    const visitor = await context.newPage()
    problems.expectFailure(404)
    await visitor.goto(`/islands/${new URL(address).hostname.split('.', 1)[0]}`)
    await expect(visitor.getByRole('heading', { name: 'The Quay' })).toHaveCount(0)
    await visitor.goto(invitation)
    await visitor.getByRole('button', { name: 'Join The Quay' }).click()
    await expect(visitor.getByRole('heading', { name: 'The Quay' })).toBeVisible()
    await visitor.goto(address)
    await visitor.getByRole('button', { name: `Enter as ${friend.username}` }).click()
    await expect(visitor.getByRole('heading', { name: `Ahoy ${friend.username}` })).toBeVisible()
    expect(visitor.url()).toBe(address)

    for (const fold of await paste.locator('summary').all()) await fold.click()
    const removal = codeOf(paste.getByRole('figure', { name: 'To stop it' }))
    const removed = await home.paste((await removal.textContent()) ?? '', undefined, 'bash')
    expect(removed.status, removed.output).toBe(0)
    await expect(open).toContainText('The agent is gone')
    problems.expectFailure(503)
    await visitor.reload()
    await expect(visitor.getByRole('heading', { name: /The Quay/ })).toBeVisible()
    await context.close()
  } finally {
    await service.close()
  }
})
