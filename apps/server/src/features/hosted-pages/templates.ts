import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TemplateName } from '@astropelago/contract/hosted-pages'
import { escapeHtml } from '../../http/markup.ts'

const folder = fileURLToPath(new URL('../../../../../templates/', import.meta.url))

/** The files of a template, whose first page is named after the island. */
export async function readTemplate(template: TemplateName, island: string) {
  const root = join(folder, template)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return await Promise.all(
    paths.toSorted().map(async (file) => {
      const path = relative(root, file).split(sep).join('/')
      const bytes = await readFile(file)
      return { path, bytes: path === 'index.html' ? withName(bytes, island) : bytes }
    }),
  )
}

function withName(page: Buffer, island: string): Buffer {
  const name = escapeHtml(island)
  const named = page
    .toString()
    .replace(/(<title>).*(?=<\/title>)/, (_, tag: string) => tag + name)
    .replace(/(<h1[^>]*>).*(?=<\/h1>)/, (_, tag: string) => tag + name)
  return Buffer.from(named)
}
