import { once } from 'node:events'
import { createServer } from 'node:http'
import { getMe } from '@astropelago/contract/me'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import { listen } from '../apps/server/src/test/listen.ts'
import { askApi } from './harness/ask-api.ts'
import { codeOf } from './harness/connect-steps.ts'
import { makeDevice } from './harness/devices.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { signUp } from './harness/sign-up.ts'
import { expect, test } from './harness/test.ts'

/** What runs at home. */
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

test('the block that Connect shows, pasted into bash, opens an island on this machine to a member in another browser, and the one to stop it closes it again', async ({
  page,
  browser,
  server,
  user,
  home,
  problems,
}) => {
  expect(user.username).toBeDefined()
  const { request } = page.context()
  const { id: carrier } = await makeDevice(request)
  const slug = `quay-${newCredentials().username.slice(-8).toLowerCase()}`
  const draft = await askApi(request, createIsland, {
    data: { name: 'The Quay', kind: 'social', slug, isRelayed: true, carrier },
  })
  const island = await askApi(request, publishIsland, {
    params: { id: draft.id },
    data: { door: 'members', isListed: false },
  })
  const service = await openService()
  try {
    await page.goto(`/connect?for=hosting&device=${carrier}`)
    const run = page.getByRole('region', { name: 'Run the agent', exact: true })
    const open = page.getByRole('region', { name: 'Open your island', exact: true })
    await run.getByLabel('Port or address', { exact: true }).fill(service.port)
    await run.getByRole('button', { name: 'Generate token' }).click()
    const block = codeOf(run.getByRole('figure', { name: /^Paste this into a terminal/ }))
    const pasted = await home.paste((await block.textContent()) ?? '', undefined, 'bash')
    expect(pasted.status, pasted.output).toBe(0)
    expect(pasted.output).toContain('Visitors can come.')
    await expect(open).toContainText('Opened from this computer: yes')

    const context = await browser.newContext({ baseURL: server.url })
    problems.watch(context)
    await signUp(context, server)
    const { user: friend } = await askApi(context.request, getMe)
    const visitor = await context.newPage()
    const there = `http://${island.slug}.localhost:${new URL(server.url).port}/`
    await visitor.goto(there)
    await visitor.getByRole('button', { name: `Enter as ${friend.username}` }).click()
    await expect(visitor.getByRole('heading', { name: `Ahoy ${friend.username}` })).toBeVisible()
    expect(visitor.url()).toBe(there)

    for (const fold of await run.locator('summary').all()) await fold.click()
    const removal = codeOf(run.getByRole('figure', { name: 'To stop it' }))
    const removed = await home.paste((await removal.textContent()) ?? '', undefined, 'bash')
    expect(removed.status, removed.output).toBe(0)
    await expect(open).toContainText('Waiting for the agent of The Quay')
    problems.expectFailure(503)
    await visitor.reload()
    await expect(visitor.getByRole('heading', { name: /The Quay/ })).toBeVisible()
    await context.close()
  } finally {
    await service.close()
  }
})
