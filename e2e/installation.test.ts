import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './harness/test.ts'

const name = 'The wide harbour of the western islands'
const logo = join(mkdtempSync(join(tmpdir(), 'astropelago-logo-')), 'logo.svg')
writeFileSync(
  logo,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" onload="document.title = 'ran'">
  <script>document.title = 'ran'</script>
  <rect width="10" height="10" style="fill: #f59e0b"/>
</svg>`,
)

test.use({ serverSettings: { INSTALLATION_NAME: name, INSTALLATION_LOGO: logo } })

test('an installation shows its own name and logo at once', async ({ page }) => {
  for (const path of ['/', '/explore', '/devices/none']) {
    const answer = await page.request.get(path)
    const html = await answer.text()
    expect(html).not.toContain('ASTROPELAGO_')
    expect(html).toContain(`<meta property="og:site_name" content="${name}"`)
  }
  for (const [path, title] of [
    ['/', name],
    ['/explore', `Explore · ${name}`],
  ] as const) {
    await page.goto(path)
    await expect(page).toHaveTitle(title)
    const header = page.getByRole('banner')
    await expect(header.getByRole('link', { name, exact: true })).toBeVisible()
    const picture = header.locator('img')
    await expect(picture).toBeVisible()
    expect(
      await picture.evaluate((img) => 'naturalWidth' in img && img.naturalWidth),
    ).toBeGreaterThan(0)
    await expect(page.getByRole('contentinfo')).toContainText(name)
  }
  // On a phone, a long name must leave room for the buttons.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'Menu' })).toBeInViewport({ ratio: 1 })
})

test('S25 the logo runs no script when it is opened on its own', async ({ page, problems }) => {
  await page.goto('/explore')
  const src = await page.getByRole('banner').locator('img').getAttribute('src')
  await page.goto(src ?? '')
  await expect(page.locator('rect')).toBeVisible()
  expect(await page.title()).not.toBe('ran')
  expect(problems.takeProblems(/Content Security Policy|sandboxed/)).toBeGreaterThan(0)
})
