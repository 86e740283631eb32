import { once } from 'node:events'
import { createServer, get, type IncomingHttpHeaders } from 'node:http'
import {
  acceptInvitation,
  createInvitation,
  removeMember,
} from '@astropelago/contract/island-members'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import { getMe } from '@astropelago/contract/me'
import type { BrowserContext } from '@playwright/test'
import { askApi } from './harness/ask-api.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { expectOpen, listenAtHome, makeCarrier, startAgent } from './harness/relayed-islands.ts'
import { signUp } from './harness/sign-up.ts'
import { expect, test } from './harness/test.ts'

/** The service at home: a page that stays connected, and a cookie for the whole domain. */
async function openService() {
  const asked: IncomingHttpHeaders[] = []
  const service = createServer((request, response) => {
    asked.push(request.headers)
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: here\n\n')
      return
    }
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': 'theme=dark; Domain=localhost; Path=/',
    })
    response.end(`<!doctype html><html lang="en"><title>At home</title><link rel="icon" href="data:,">
      <h1>Hello ${String(request.headers['astropelago-name'])}</h1><output></output>
      <script>
        const said = document.querySelector('output')
        const events = new EventSource('/events')
        events.onmessage = () => { said.textContent = 'connected' }
        events.onerror = () => { said.textContent = 'cut'; events.close() }
      </script></html>`)
  })
  return { ...(await listenAtHome(service)), asked }
}

/** The cookies of each request as sent, in order. */
function watchCookies(context: BrowserContext) {
  const reading: Promise<{ readonly host: string; readonly cookie: string }>[] = []
  context.on('request', (request) => {
    const { hostname: host } = new URL(request.url())
    const read = request.allHeaders().then(({ cookie = '' }) => ({ host, cookie }))
    // The caller that waits for all of them reports the failure.
    read.catch(() => undefined)
    reading.push(read)
  })
  return () => Promise.all(reading)
}

test('R28 S55 an invited user enters the island under their name, no cookie crosses between site and island, and removing the user ends access at once', async ({
  page,
  browser,
  server,
  user,
  problems,
}) => {
  expect(user.username).toBeDefined()
  const { request } = page.context()
  const { deviceId, token } = await makeCarrier(request)
  const slug = `door-${newCredentials().username.slice(-8).toLowerCase()}`
  const draft = await askApi(request, createIsland, {
    data: { name: 'Harbor Door', kind: 'social', slug, isRelayed: true, carrier: deviceId },
  })
  // Another island of the same host, for signed-in users.
  const secondDraft = await askApi(request, createIsland, {
    data: {
      name: 'Second Door',
      kind: 'social',
      slug: `${slug}-2`,
      isRelayed: true,
      carrier: deviceId,
    },
  })
  const second = await askApi(request, publishIsland, {
    params: { id: secondDraft.id },
    data: { access: 'members', isListed: false },
  })
  const island = await askApi(request, publishIsland, {
    params: { id: draft.id },
    data: { access: 'invited', isListed: false },
  })
  const { code } = await askApi(request, createInvitation, { params: { id: draft.id }, data: {} })

  const service = await openService()
  const stopAgent = await startAgent(server.url, service.url, token)
  try {
    const context = await browser.newContext({ baseURL: server.url })
    problems.watch(context)
    const cookiesSent = watchCookies(context)
    await signUp(context, server)
    await askApi(context.request, acceptInvitation, { data: { code } })
    const { user: friend } = await askApi(context.request, getMe)
    await expectOpen(request, island.slug)

    const there = `http://${island.slug}.localhost:${new URL(server.url).port}`
    const visitor = await context.newPage()
    await visitor.goto(`${there}/table?seat=4`)
    await expect(visitor).toHaveURL(new RegExp(`^${server.url}/islands/${island.slug}/enter`))
    await visitor.getByRole('button', { name: `Enter as ${friend.username}` }).click()
    await expect(visitor).toHaveURL(`${there}/table?seat=4`)
    await expect(visitor.getByRole('heading', { name: `Hello ${friend.username}` })).toBeVisible()
    await expect(visitor.getByRole('status')).toHaveText('connected')
    // Back on the island, with the cookies of both sides in the browser.
    await visitor.goto(`${server.url}/dashboard`)
    await visitor.goto(`${there}/`)
    await expect(visitor.getByRole('status')).toHaveText('connected')

    const elsewhere = new URL(there.replace(island.slug, second.slug))
    await visitor.goto(elsewhere.href)
    await visitor.getByRole('button', { name: `Enter as ${friend.username}` }).click()
    await expect(visitor).toHaveURL(elsewhere.href)
    await expect(visitor.getByRole('status')).toHaveText('connected')

    const sent = await cookiesSent()
    const [, firstVisit] =
      /astropelago_visit=([^;]+)/.exec(
        sent.findLast(({ host }) => host.startsWith(`${island.slug}.`))?.cookie ?? '',
      ) ?? []
    const sentElsewhere = sent.filter(({ host }) => host === elsewhere.hostname)
    expect(sentElsewhere[0]?.cookie).toBe('')
    expect(firstVisit).toBeDefined()
    expect(JSON.stringify(sentElsewhere)).not.toContain(firstVisit)
    await visitor.goto(`${there}/`)
    await expect(visitor.getByRole('status')).toHaveText('connected')

    for (const { host, cookie } of sent) {
      if (host === 'localhost') expect(cookie).not.toMatch(/theme|astropelago_(?:visit|access)/)
      else expect(cookie).not.toMatch(/astropelago_(?:session|signed)/)
    }
    expect(sent.some(({ cookie }) => cookie.includes('astropelago_session'))).toBe(true)
    expect(sent.some(({ cookie }) => cookie.includes('astropelago_visit'))).toBe(true)
    expect(JSON.stringify(service.asked)).not.toMatch(/astropelago_|ticket/)
    expect(service.asked.at(-1)).toMatchObject({ cookie: 'theme=dark' })

    problems.expectFailure('dropped', 404)
    const member = { id: draft.id, username: friend.username }
    await askApi(request, removeMember, { params: member })
    await expect(visitor.getByRole('status')).toHaveText('cut', { timeout: 1000 })
    await visitor.reload()
    await expect(
      visitor.getByRole('heading', { name: 'Nothing here that you can see' }),
    ).toBeVisible()
    await context.close()
  } finally {
    await stopAgent()
    service.close()
  }
})

test('S62 a flood of unknown cookies does not affect a browser with a grant', async ({
  page,
  server,
  user,
}) => {
  const { request } = page.context()
  const { deviceId, token } = await makeCarrier(request)
  const slug = `flood-${newCredentials().username.slice(-8).toLowerCase()}`
  const { id } = await askApi(request, createIsland, {
    data: { name: 'Harbor Door', kind: 'social', slug, isRelayed: true, carrier: deviceId },
  })
  const island = await askApi(request, publishIsland, {
    params: { id },
    data: { access: 'members', isListed: false },
  })
  const service = await openService()
  const stopAgent = await startAgent(server.url, service.url, token)
  try {
    await expectOpen(request, island.slug)
    const { port } = new URL(server.url)
    const there = `http://${island.slug}.localhost:${port}/`
    await page.goto(there)
    await page.getByRole('button', { name: `Enter as ${user.username}` }).click()
    await expect(page).toHaveURL(there)
    await expect(page.getByRole('status')).toHaveText('connected')
    await page.evaluate(() => localStorage.setItem('draft', 'unsaved'))

    const { host } = new URL(there)
    const statuses: (number | undefined)[] = []
    for (let at = 0; at < 310; at += 1) {
      const cookie = `astropelago_visit=${`${slug}-${at}`.padStart(43, 'x')}`
      const sent = get({ host: '127.0.0.1', port, headers: { host, cookie, accept: '*/*' } })
      const [{ statusCode }] = await once(sent, 'response')
      sent.destroy()
      statuses.push(statusCode)
    }
    expect(statuses.at(-1)).toBe(429)
    // A valid grant is cached for a shorter time.
    await page.waitForTimeout(1000)
    await page.reload()
    await expect(page.getByRole('status')).toHaveText('connected')
    expect(await page.evaluate(() => localStorage.getItem('draft'))).toBe('unsaved')
  } finally {
    await stopAgent()
    service.close()
  }
})
