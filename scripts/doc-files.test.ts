import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
/** Names in instructions, such as `sql-x-store.ts`, stand for files that are to be written. */
const placeholder = /(?:^|[/-])x[.-]/

test('files that the docs name exist', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).split('\n')
  const ends = new Set(
    files.flatMap((file) => {
      const parts = file.split('/')
      return parts.map((_, index) => parts.slice(index).join('/'))
    }),
  )
  const docs = files.filter((file) => /^(?:docs\/.*|[A-Z]+)\.md$/.test(file))
  expect(docs.length).toBeGreaterThan(20)
  const missing = docs.flatMap((doc) =>
    [...readFileSync(new URL(doc, root), 'utf8').matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !placeholder.test(name) && !ends.has(name))
      .map((name) => `${doc}: ${name}`),
  )
  expect(missing).toEqual([])
})
