import { createServer, request as ask } from 'node:http'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import type { APIRequestContext, Page } from '@playwright/test'
import { askApi } from './harness/ask-api.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { expectOpen, listenAtHome, makeCarrier, startAgent } from './harness/relayed-islands.ts'
import { expect, test } from './harness/test.ts'

// Browsers treat these islands as one site, as on every domain that is not a public suffix.
test.use({ serverSettings: { RELAY_DOMAIN: 'isles.localhost' } })

/** What each island's `/app.js` does to the page that runs it. */
const app = "document.querySelector('output').textContent += 'ran '"

interface Isle {
  readonly access: 'public' | 'members'
  /** The HTML of its front page. */
  readonly html: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes an island at home with this page, until the test ends. */
async function openIsle(
  request: APIRequestContext,
  serverUrl: string,
  { access, html, headers = {} }: Isle,
) {
  const { deviceId, token } = await makeCarrier(request)
  const name = `isle-${newCredentials().username.slice(-8).toLowerCase()}`
  const { id } = await askApi(request, createIsland, {
    data: { name: 'Harbor Isle', kind: 'social', slug: name, isRelayed: true, carrier: deviceId },
  })
  const { slug } = await askApi(request, publishIsland, {
    params: { id },
    data: { access, isListed: false },
  })
  const asked: string[] = []
  const service = await listenAtHome(
    createServer(({ url = '' }, response) => {
      asked.push(url)
      const isScript = url === '/app.js'
      const type = isScript ? 'text/javascript' : 'text/html; charset=utf-8'
      response.writeHead(200, { 'content-type': type, ...(isScript && headers) })
      response.end(
        isScript
          ? app
          : `<!doctype html><html lang="en"><title>Isle</title><link rel="icon" href="data:,">
             <h1>At home</h1><output></output>${html}</html>`,
      )
    }),
  )
  const stopAgent = await startAgent(serverUrl, service.url, token)
  await expectOpen(request, slug)
  return {
    url: `http://${slug}.isles.localhost:${new URL(serverUrl).port}/`,
    /** The paths that its service received. */
    asked,
    stop: async () => {
      await stopAgent()
      service.close()
    },
  }
}

/** Enters through the site, as its signed-in user. */
async function enter(page: Page, url: string, username: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: `Enter as ${username}` }).click()
  await expect(page).toHaveURL(url)
}

/** Forwards requests without the headers that browsers before 2023 do not send. */
async function openOlderWay() {
  const proxy = createServer((asked, response) => {
    const headers = Object.fromEntries(
      Object.entries(asked.headers).filter(([name]) => !name.startsWith('sec-')),
    )
    const { port, pathname, search } = new URL(asked.url ?? '')
    const sent = ask({
      host: '127.0.0.1',
      port,
      path: pathname + search,
      method: asked.method,
      headers,
    })
    sent.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    asked.pipe(sent)
  })
  return await listenAtHome(proxy)
}

for (const age of ['today', 'before 2023']) {
  test(`R51 a page of another island runs no script that a grant loaded, in a browser of ${age}`, async ({
    page: own,
    browser,
    server,
    user,
  }) => {
    const { request } = own.context()
    const way = age === 'today' ? undefined : await openOlderWay()
    const context = await browser.newContext({
      storageState: await own.context().storageState(),
      ...(way && { proxy: { server: way.url, bypass: '<-loopback>' } }),
    })
    const victim = await openIsle(request, server.url, {
      access: 'members',
      html: '<script src="/app.js"></script>',
      headers: { 'cache-control': 'max-age=600' },
    })
    const evil = await openIsle(request, server.url, {
      access: 'public',
      html: `<script src="${victim.url}app.js" referrerpolicy="no-referrer"></script>
        <script src="${victim.url}app.js"></script>
        <script src="${victim.url}app.js?new" referrerpolicy="no-referrer"></script>`,
    })
    try {
      const page = await context.newPage()
      await enter(page, victim.url, user.username)
      await expect(page.getByRole('status')).toHaveText('ran')
      await page.goto(evil.url)
      await page.getByRole('button', { name: /^Go on/ }).click()
      await expect(page.getByRole('heading')).toHaveText('At home')
      await page.waitForLoadState()
      await expect(page.getByRole('status')).toHaveText('')
      expect(victim.asked).toEqual(['/', '/app.js'])
    } finally {
      await victim.stop()
      await evil.stop()
      await context.close()
      way?.close()
    }
  })
}

test('R55 the page of another island removes an island’s oversized cookies', async ({
  page,
  server,
  user,
  problems,
}) => {
  problems.expectFailure(403, 431)
  const { request } = page.context()
  const victim = await openIsle(request, server.url, { access: 'members', html: '' })
  const evil = await openIsle(request, server.url, {
    access: 'public',
    html: `<script>
      for (let at = 0; at < 60; at += 1)
        document.cookie = 'c' + at + '=' + 'x'.repeat(4000) + '; Domain=isles.localhost; Path=/' + (at % 2 ? 'deep' : '')
      document.querySelector('output').textContent = document.cookie.length
    </script>`,
  })
  try {
    await enter(page, victim.url, user.username)
    await page.goto(evil.url)
    await page.getByRole('button', { name: /^Go on/ }).click()
    await expect(page.getByRole('status')).toHaveText(/\d{5}/)

    await page.goto(`${victim.url}deep/page?q=1`)
    await expect(page.getByRole('heading')).toHaveText('This request is too long')
    await expect(page.getByRole('status')).toHaveText(/They are gone now\.$/)
    await page.getByRole('link', { name: 'Try again' }).click()
    // Access still works.
    await expect(page.getByRole('heading')).toHaveText('At home')
    await expect(page).toHaveURL(`${victim.url}deep/page?q=1`)
  } finally {
    await victim.stop()
    await evil.stop()
  }
})
