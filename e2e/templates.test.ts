import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { extname, join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { listen } from '../apps/server/src/test/listen.ts'
import { expect, test as base } from './harness/test.ts'

const templates = resolve(import.meta.dirname, '../templates')
/** The policy of hosted pages. */
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-src 'self'; form-action 'self'; base-uri 'self'; object-src 'none'; frame-ancestors 'none'"
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** The narrowest screen that WCAG 1.4.10 requires, a phone, and a desktop. */
const widthsPx = [320, 360, 1440]

const test = base.extend<{
  /** Serves a template at a host of its own, opens a page of it, and returns the URL of the host. */
  readonly openTemplate: (name: string, path?: string) => Promise<string>
}>({
  // The product's own server is not needed.
  baseURL: undefined,

  openTemplate: async ({ page }, provide) => {
    const servers: Server[] = []
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    let origin = ''
    await provide(async (name, path = '/') => {
      const server = serveFolder(join(templates, name))
      servers.push(server)
      origin = await listen(server)
      await page.goto(origin + path)
      return origin
    })
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    expect(requested.filter((url) => !url.startsWith(origin))).toEqual([])
  },
})

/** Answers as hosted pages do, with clean addresses and the folder's 404.html. */
function serveFolder(folder: string): Server {
  return createServer((request, response) => {
    void answer(folder, new URL(request.url ?? '/', 'http://localhost').pathname, response)
  })
}

async function answer(folder: string, pathname: string, response: ServerResponse): Promise<void> {
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
  for (const [name, status] of [
    [extname(path) === '' ? `${path}.html` : path, 200],
    ['404.html', 404],
  ] as const) {
    const content = await readFile(join(folder, name)).catch(() => undefined)
    if (content === undefined) continue
    const type = contentTypes[extname(name)] ?? 'application/octet-stream'
    response.writeHead(status, { 'content-type': type, 'content-security-policy': policy })
    response.end(content)
    return
  }
  response.writeHead(404).end()
}

/** All of axe's rules, best practices included. */
async function expectNoViolations(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)
  expect(found).toEqual([])
}

async function expectToFit(page: Page, widthPx: number): Promise<void> {
  await page.setViewportSize({ width: widthPx, height: 900 })
  const contentPx = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(contentPx, 'width of the content').toBe(widthPx)
}

const pages = [
  ['chat-room', '/', 'Our chat room'],
  ['guest-book', '/', 'Our guest book'],
  ['photo-wall', '/', 'Our photo wall'],
  ['scoreboard', '/', 'Our scoreboard'],
  ['blog', '/', 'Letters from the island'],
  ['blog', '/posts/first', 'The night the harbour lit up'],
  ['blog', '/posts/none', 'No letter here'],
  ['links', '/', 'Hello, I am Juno'],
] as const

for (const [name, path, heading] of pages) {
  test(
    `the template ${name} at ${path} passes axe and fits a phone and a desktop, by day and by night`,
    { tag: '@long' },
    async ({ page, problems, openTemplate }) => {
      if (heading === 'No letter here') problems.expectFailure(404)
      await openTemplate(name, path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      for (const width of widthsPx) await expectToFit(page, width)
      await expectNoViolations(page)
      await page.setViewportSize({ width: 360, height: 900 })
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectNoViolations(page)
    },
  )
}

for (const [name, notice, example] of [
  ['chat-room', 'Messages are not open yet on this server.', /^You.*example/],
  ['guest-book', 'The book is not open yet on this server.', /^Ada.*example/],
] as const) {
  test(
    `the template ${name} marks its examples, and takes no text yet`,
    { tag: '@long' },
    async ({ page, openTemplate }) => {
      await openTemplate(name)
      await expect(page.getByText(notice)).toBeVisible()
      await expect(page.getByText(example)).toBeVisible()
      for (const field of [page.getByRole('textbox'), page.locator('form button')]) {
        for (const one of await field.all()) await expect(one).toBeDisabled()
      }
    },
  )
}

test(
  'the motion of the chat room can be paused, and is absent for those who prefer less',
  { tag: '@long' },
  async ({ page, openTemplate }) => {
    await openTemplate('chat-room')
    const states = () =>
      page.evaluate(() => [...new Set(document.getAnimations().map(({ playState }) => playState))])
    expect(await states()).toEqual([])
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await expect.poll(states).toEqual(['running'])
    const pause = page.getByRole('button', { name: 'Pause motion' })
    await pause.click()
    await expect(pause).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(states).toEqual(['paused'])
  },
)

test('a round of the scoreboard’s game is played by keyboard, can be paused, and its score stays', async ({
  page,
  openTemplate,
}) => {
  // All stars fall where the boat is at first.
  await page.addInitScript(() => {
    Math.random = () => 0.5
  })
  await page.clock.install()
  await openTemplate('scoreboard')
  const points = page.locator('#points')
  const seconds = page.locator('#seconds')
  const status = page.getByRole('status')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.down('ArrowLeft')
  await page.clock.runFor(6000)
  await page.keyboard.up('ArrowLeft')
  await expect(points).toHaveText('000')
  await expect(seconds).toHaveText('34')
  await page.keyboard.press('Escape')
  await page.clock.runFor(5000)
  await expect(status).toHaveText('Paused. Take your time.')
  await expect(seconds).toHaveText('34')

  await page.keyboard.press('Enter')
  await page.keyboard.down('ArrowRight')
  await page.clock.runFor(460)
  await page.keyboard.up('ArrowRight')
  await page.clock.runFor(40_000)
  await expect(status).toHaveText(/^Your constellation has \d+ stars/)
  const score = Number(await points.textContent())
  expect(score).toBeGreaterThan(20)
  const own = page.getByRole('region', { name: 'Your best' }).getByRole('listitem')
  await expect(own).toHaveText(new RegExp(`${score}$`))
  await page.reload()
  await expect(own).toHaveText(new RegExp(`${score}$`))
})

test('a picture of the photo wall opens large, and the arrow keys show the next', async ({
  page,
  openTemplate,
}) => {
  await openTemplate('photo-wall')
  await page.getByRole('link', { name: 'First light' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'First light' })
  await expect(dialog.getByRole('img', { name: /^The sun rises/ })).toBeVisible()
  await expectToFit(page, 360)
  await expectNoViolations(page)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog')).toHaveAccessibleName('The neighbour moves')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})
