import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from './harness/test.ts'

const assets = resolve(import.meta.dirname, '../apps/web/dist/assets')
/** What the design page says about itself, and what another page says, to know that the search finds. */
const designWords = 'Every token and every component'
const explorePath = '/explore'

test('the production build holds nothing of the design page', async () => {
  const names = await readdir(assets)
  expect(names.filter((name) => /design/i.test(name))).toEqual([])
  const scripts = names.filter((name) => name.endsWith('.js'))
  const codes = await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')))
  expect(codes.some((code) => code.includes(explorePath))).toBe(true)
  expect(codes.filter((code) => code.includes(designWords) || code.includes('/_ui'))).toEqual([])
})

test('in production /_ui is an unknown slug, which goes to Discover', async ({
  page,
  user: _user,
}) => {
  await page.goto('/_ui')
  await expect(page).toHaveURL('/discover')
})
