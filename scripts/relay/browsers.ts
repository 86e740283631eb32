/** A folder at home, opened as nothing but an address in Chromium and in Firefox. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, launch } from 'puppeteer-core'
import { findFirefox, findHeadlessChromium } from '../system-tools.ts'
import type { RelayedIsland, RelayStand } from './relay-stand.ts'

const limitMs = 30_000

/** Both resolve names below .localhost by themselves: nothing is set for it. */
export async function checkBrowsers(stand: RelayStand, island: RelayedIsland): Promise<void> {
  const folder = join(stand.folder, 'home page')
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Home</title><h1>Ahoy</h1>')
  const agent = await stand.runAgent(island, { args: ['--folder', folder] })
  for (const [browser, executablePath] of [
    ['chrome', findHeadlessChromium()],
    ['firefox', findFirefox()],
  ] as const) {
    assert.ok(executablePath !== undefined, `there is no ${browser}`)
    const args = browser === 'chrome' ? ['--no-sandbox'] : []
    const opened = await launch({ browser, executablePath, args, headless: true })
    try {
      await openIn(opened, `http://${island.host}/`)
    } finally {
      await opened.close()
    }
    console.log(`  ${browser} opens http://${island.host}/`)
  }
  await agent.kill('SIGTERM')
}

async function openIn(browser: Browser, address: string): Promise<void> {
  const page = await browser.newPage()
  page.setDefaultTimeout(limitMs)
  await page.goto(address)
  const said = () => page.$eval('h1', (heading) => heading.textContent)
  if ((await said()) === 'Ahoy') return
  // Whose machine it is, asked once.
  await page.click('form button')
  await page.waitForFunction("document.querySelector('h1')?.textContent === 'Ahoy'")
}
