import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hashFiles } from './hash-files.ts'

test('a hash depends only on names, contents and the salt', async () => {
  const root = await mkdtemp(join(tmpdir(), 'astropelago-hash-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const file = join(root, 'one.ts')
  const hash = (salt = '') => hashFiles(root, ['*.ts'], { salt, isLeftOut: /\.test\.ts$/ })
  await writeFile(file, 'one')
  const first = await hash()

  await writeFile(join(root, 'one.test.ts'), 'left out')
  await writeFile(join(root, 'one.md'), 'not asked for')
  expect(await hash()).toBe(first)
  await writeFile(file, 'two')
  expect(await hash()).not.toBe(first)
  await writeFile(file, 'one')
  expect(await hash()).toBe(first)
  expect(await hash('VITE_LIVE,off')).not.toBe(first)
  await rename(file, join(root, 'two.ts'))
  expect(await hash()).not.toBe(first)
})
