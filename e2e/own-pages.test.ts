import { mkdir, writeFile } from 'node:fs/promises'
import { deployPages, getPages } from '@astropelago/contract/hosted-pages'
import { createIsland } from '@astropelago/contract/islands'
import { askApi } from './harness/ask-api.ts'
import { expect, test } from './harness/test.ts'

test('a folder becomes the pages of an island, and a template that replaced it gives way again', async ({
  page,
  user: _user,
}, testInfo) => {
  const data = { name: 'Harbour Site', kind: 'lab', isHosted: true } as const
  const { id, slug } = await askApi(page.request, createIsland, { data })
  const folder = testInfo.outputPath('site')
  await mkdir(`${folder}/.git`, { recursive: true })
  await mkdir(`${folder}/größe`)
  await writeFile(`${folder}/index.html`, '<!doctype html><script src="https://cdn.example/a.js">')
  await writeFile(`${folder}/größe/sea.jpg`, 'x'.repeat(2_000_000))
  await writeFile(`${folder}/.git/config`, 'secret')

  await page.goto(`/islands/${slug}/settings/pages`)
  await page.getByLabel('Choose a folder').setInputFiles(folder)
  const published = page.waitForResponse(
    (response) =>
      response.request().method() === deployPages.method &&
      response.url().endsWith(deployPages.path.replace(':id', id)),
  )
  await page.getByRole('button', { name: 'Publish these files' }).click()
  expect((await published).ok()).toBe(true)
  const pages = page.getByRole('region', { name: 'Pages', exact: true })
  await expect(pages).toContainText('uploaded · 2 files, 2 MB')
  await expect(page.getByText('site/.git', { exact: true })).toBeVisible()
  await pages.getByText('Browsers will not load 1 thing').click()
  await expect(pages).toContainText('index.html, line 1The script at https://cdn.example/a.js')

  await page.getByRole('button', { name: /^Guest book/ }).click()
  await page.getByRole('button', { name: 'Use it' }).click()
  await expect(pages).toContainText('a template')
  await page.getByRole('button', { name: /^Bring back/ }).click()
  await expect(pages).toContainText('uploaded · 2 files')
  const { deployments } = await askApi(page.request, getPages, { params: { id } })
  expect(deployments.map(({ source, isLive }) => `${source} ${isLive}`)).toEqual([
    'template false',
    'upload true',
  ])
  const downloading = page.waitForEvent('download')
  await pages.getByRole('link', { name: 'Download as a zip' }).click()
  expect((await downloading).suggestedFilename()).toBe(`${slug}.zip`)
})
