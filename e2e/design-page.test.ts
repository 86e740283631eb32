import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from './harness/test.ts'

const assets = resolve(import.meta.dirname, '../apps/web/dist/assets')
/** A text of the design page, and one of another page to prove that the search works. */
const designWords = 'The colours, the type and the components'
const explorePath = '/explore'

test('the production build contains nothing of the design page', async () => {
  const names = await readdir(assets)
  expect(names.filter((name) => /design/i.test(name))).toEqual([])
  const scripts = names.filter((name) => name.endsWith('.js'))
  const codes = await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')))
  expect(codes.some((code) => code.includes(explorePath))).toBe(true)
  expect(codes.filter((code) => code.includes(designWords) || code.includes('/_ui'))).toEqual([])
})
