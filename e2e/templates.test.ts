import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { extname, join, resolve } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { runtimeScriptPath } from '@astropelago/contract/runtime-paths'
import { listen } from '../apps/server/src/test/listen.ts'
import { expect, test as base } from './harness/test.ts'

const templates = resolve(import.meta.dirname, '../templates')
const runtimes = resolve(import.meta.dirname, '../apps/web/dist/_spark')
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
  /**
   * Serves a template at a host of its own, and opens a page of it. Its `spark` is that of previews, which
   * needs no server, or `island.js`, which finds none.
   */
  readonly openTemplate: (name: string, path?: string, runtime?: string) => Promise<void>
}>({
  // The product's own server is not needed.
  baseURL: undefined,

  openTemplate: async ({ page }, provide) => {
    const servers: Server[] = []
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    let origin = ''
    await provide(async (name, path = '/', runtime = 'preview.js') => {
      const server = serveFolder(join(templates, name), join(runtimes, runtime))
      servers.push(server)
      origin = await listen(server)
      await page.goto(origin + path)
    })
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    expect(requested.filter((url) => !url.startsWith(origin))).toEqual([])
  },
})

/** Answers as hosted pages do, with clean addresses and the folder's 404.html. */
function serveFolder(folder: string, runtime: string): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    const file = join(folder, extname(path) === '' ? `${path}.html` : path)
    void answer(pathname === runtimeScriptPath ? runtime : file, folder, response)
  })
}

async function answer(file: string, folder: string, response: ServerResponse): Promise<void> {
  for (const [name, status] of [
    [file, 200],
    [join(folder, '404.html'), 404],
  ] as const) {
    const content = await readFile(name).catch(() => undefined)
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

test('the chat room shows what is sent, and a moderator removes it by keyboard', async ({
  page,
  openTemplate,
}) => {
  await openTemplate('chat-room')
  await expect(page.getByText('Nobody has written yet.')).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Message' })
  const messages = page.getByRole('log').getByRole('article')
  for (let number = 1; number <= 12; number += 1) {
    await field.fill(`<b>Hello</b> ${number}`)
    await field.press('Enter')
    await expect(messages).toHaveCount(number)
  }
  await expect(field).toHaveValue('')
  await expect(messages.last()).toContainText('<b>Hello</b> 12')
  await expect(messages.last()).toBeInViewport()
  await expect(page.getByText('Nobody has written yet.')).toBeHidden()
  await expectNoViolations(page)
  await messages.last().getByRole('button').press('Enter')
  await expectToFit(page, 360)
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await expect(messages.last()).toContainText('Hello</b> 11')
  await expect(page.getByRole('log')).toBeFocused()
})

test('without a connection, the chat room says so and keeps the text', async ({
  page,
  problems,
  openTemplate,
}) => {
  await page.clock.install()
  await openTemplate('chat-room', '/', 'island.js')
  await expect(page.getByText('Connecting…')).toBeVisible()
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.fill('Is anybody here?')
  await field.press('Enter')
  await page.clock.runFor(10_000)
  await expect(page.getByText('The connection is gone. Your text waits here')).toBeVisible()
  await expect(field).toHaveValue('Is anybody here?')
  await expectNoViolations(page)
  // The browser's own lines. The page adds none.
  expect(problems.takeProblems(/^error: WebSocket connection to/)).toBeGreaterThan(0)
})

test('a line in the guest book is shown at once, the newest first, and can be deleted', async ({
  page,
  openTemplate,
}) => {
  await openTemplate('guest-book')
  await expect(page.getByText('Nobody has signed yet.')).toBeVisible()
  const lines = page.getByRole('region', { name: 'Who was here' }).getByRole('listitem')
  for (const line of ['We came for the stars.', '<b>And we stayed.</b>']) {
    await page.getByRole('textbox', { name: 'Your line' }).fill(line)
    await page.getByRole('button', { name: 'Sign' }).click()
    await expect(lines.filter({ hasText: line })).toBeVisible()
  }
  await expect(lines.first()).toContainText('<b>And we stayed.</b>')
  await expectToFit(page, 360)
  await expectNoViolations(page)
  await lines.first().getByRole('button').press('Enter')
  await expect(lines).toHaveText([/We came for the stars/])
  await expect(page.getByRole('heading', { name: 'Who was here' })).toBeFocused()
})

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

test('a round of the scoreboard’s game is played by keyboard, can be paused, and asks who played', async ({
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
  const status = page.locator('#status')
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
  // How much depends on how many frames a busy machine draws.
  expect(score).toBeGreaterThan(0)
  await expect(page.getByText(`Your best: ${score} points.`)).toBeVisible()
  // In a preview nobody has a name.
  await page.getByRole('button', { name: 'Say who you are to enter your score' }).click()
  await expect(page.getByText('Without your name, your score stays yours alone.')).toBeVisible()
})

test('a visitor’s picture gets small enough to hang on the photo wall, and can be taken down', async ({
  page,
  openTemplate,
}) => {
  await openTemplate('photo-wall')
  const noise = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 900
    const pen = canvas.getContext('2d')
    for (let spot = 0; spot < 20_000; spot += 1) {
      if (pen) pen.fillStyle = `hsl(${spot % 360} 80% 60%)`
      pen?.fillRect(Math.random() * 900, Math.random() * 900, 9, 9)
    }
    return canvas.toDataURL()
  })
  const buffer = Buffer.from(noise.slice(noise.indexOf(',')), 'base64')
  expect(buffer.length).toBeGreaterThan(200_000)
  const hang = async (file: Buffer) => {
    const picture = { name: 'picture.png', mimeType: 'image/png', buffer: file }
    await page.getByLabel('Picture').setInputFiles(picture)
    await page.getByRole('textbox', { name: 'What it shows' }).fill('Confetti')
    await page.getByRole('button', { name: 'Hang it up' }).click()
  }
  await hang(Buffer.from('no picture'))
  await expect(page.getByText('can’t open this file as a picture')).toBeVisible()
  await hang(buffer)
  const print = page.getByRole('button', { name: 'Confetti, by you' })
  const source = await print.locator('img').getAttribute('src')
  expect(source).toMatch(/^data:image\/(webp|jpeg);/)
  expect(source?.length).toBeLessThan(90_000)
  await expectToFit(page, 360)
  await expectNoViolations(page)
  await print.click()
  await expect(page.getByRole('dialog')).toHaveAccessibleName('Confetti, by you')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Take down: Confetti' }).click()
  await expect(print).toBeHidden()
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
