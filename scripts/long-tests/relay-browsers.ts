/** Opens a folder at home through the relay in Chromium and Firefox, with nothing but its address. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, launch } from 'puppeteer-core'
import { RelayStand } from '../relay/relay-stand.ts'
import { findFirefox, findHeadlessChromium } from '../system-tools.ts'

const limitMs = 30_000

const stand = await RelayStand.open()
try {
  const folder = join(stand.folder, 'home page')
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Home</title><h1>Ahoy</h1>')
  const island = await stand.makeIsland()
  await stand.runAgent(island, { args: ['--folder', folder] })
  // Both browsers resolve names below .localhost without any setting.
  const address = `http://${island.host}/`
  for (const [browser, executablePath] of [
    ['chrome', findHeadlessChromium()],
    ['firefox', findFirefox()],
  ] as const) {
    assert.ok(executablePath !== undefined, `there is no ${browser}`)
    const args = browser === 'chrome' ? ['--no-sandbox'] : []
    const opened = await launch({ browser, executablePath, args, headless: true })
    try {
      await openIn(opened, address)
    } finally {
      await opened.close()
    }
    console.log(`  ${browser} opens ${address}`)
  }
} finally {
  await stand.close()
}

async function openIn(browser: Browser, address: string): Promise<void> {
  const page = await browser.newPage()
  page.setDefaultTimeout(limitMs)
  await page.goto(address)
  const said = () => page.$eval('h1', (heading) => heading.textContent)
  if ((await said()) === 'Ahoy') return
  // The page that names the island's host, shown once.
  await page.click('form button')
  await page.waitForFunction("document.querySelector('h1')?.textContent === 'Ahoy'")
}
