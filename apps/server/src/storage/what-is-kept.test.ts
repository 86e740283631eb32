import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestStorage } from '../test/open-test-storage.ts'

test('the operator’s guide says what each table stores about people', async () => {
  const { db } = await openTestStorage()
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  const [, chapter = ''] = guide.split('\n## What is kept\n')
  const [table = ''] = chapter.split('\n### ')
  const missing = (await db.introspection.getTables())
    // A search index has tables of its own, named after it.
    .map(({ name }) => /^search_(?:neighbour_)?[a-z]+/.exec(name)?.[0] ?? name)
    .filter((name) => !table.includes(`\`${name}\``))
  expect(missing).toEqual([])
})
