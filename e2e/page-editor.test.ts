import { deployTemplate } from '@astropelago/contract/hosted-pages'
import { createIsland, publishIsland } from '@astropelago/contract/islands'
import { askApi } from './harness/ask-api.ts'
import { expect, test } from './harness/test.ts'

test('S68 a host writes, sees the draft beside it, and publishes; the draft is nobody else’s to see', async ({
  page,
  browser,
  server,
  user,
  problems,
}) => {
  const { request } = page
  const { id } = await askApi(request, createIsland, {
    data: { name: `Desk of ${user.username}`, kind: 'lab', isHosted: true },
  })
  await askApi(request, deployTemplate, { params: { id }, data: { template: 'links' } })
  const { slug } = await askApi(request, publishIsland, {
    params: { id },
    data: { access: 'public', isListed: false },
  })
  await page.goto(`/islands/${slug}/editor`)
  const text = page.getByRole('textbox', { name: 'index.html' })
  await expect(text).toContainText('<!doctype html>')
  await text.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(
    '<!doctype html>\n<html lang="en"><title>Desk</title>\n<h1>Fresh ink</h1>',
  )
  const preview = page.frameLocator('iframe')
  await expect(preview.getByRole('heading', { level: 1 })).toHaveText('Fresh ink')
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Open in a tab' }).click()
  await expect((await opening).getByRole('heading', { level: 1 })).toHaveText('Fresh ink')

  const other = await browser.newContext()
  const visitor = await other.newPage()
  const { port } = new URL(server.url)
  const previewed = await visitor.goto(`http://preview.localhost:${port}/`)
  expect(previewed?.status()).toBe(403)
  await other.addCookies([
    { name: 'astropelago_met', value: '1', url: `http://${slug}.localhost:${port}` },
  ])
  const island = `http://${slug}.localhost:${port}/`
  await visitor.goto(island)
  await expect(visitor.getByRole('heading', { level: 1 })).not.toHaveText('Fresh ink')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(page.getByText(/live/i).first()).toBeVisible()
  await visitor.goto(island)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Fresh ink')
  await other.close()
  expect(problems.report()).toEqual([])
})
