import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { TemplateName } from '@astropelago/contract/hosted-pages'

const folder = resolve(import.meta.dirname, '../../../../../templates')

export async function readTemplate(name: TemplateName) {
  const root = join(folder, name)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file))
  return await Promise.all(
    paths.toSorted().map(async (path) => ({
      path: relative(root, path).split(sep).join('/'),
      bytes: await readFile(path),
    })),
  )
}
