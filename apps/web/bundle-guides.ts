import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { parseContents, parseGuide } from './parse-guide.ts'

const folder = join(import.meta.dirname, '../../docs/guides')
const contentsFile = 'README.md'
const listId = 'virtual:guides'
const guidePrefix = 'virtual:guide/'

/**
 * Lets the app import `virtual:guides`: the guides of docs/guides, in the order of their table of contents,
 * each with a function that loads it from a separate file.
 */
export function bundleGuides(): Plugin {
  return {
    name: 'astropelago-guides',
    resolveId: {
      filter: { id: /^virtual:guide/ },
      // The NUL character tells other plugins that there is no such file.
      handler: (id) => `\0${id}`,
    },
    load: {
      filter: { id: /^\0virtual:guide/ },
      async handler(id) {
        const name = id.slice(1)
        if (name === listId) {
          for (const file of await readdir(folder)) this.addWatchFile(join(folder, file))
          return await listModule()
        }
        const file = `${name.slice(guidePrefix.length)}.md`
        this.addWatchFile(join(folder, file))
        const { blocks } = await readGuide(file, await guideFiles())
        return `export const blocks = ${JSON.stringify(blocks)}`
      },
    },
  }
}

async function listModule(): Promise<string> {
  const files = await guideFiles()
  const parts = parseContents(await readFile(join(folder, contentsFile), 'utf8'))
  const listed = parts.flatMap((part) => part.files)
  const missing = files.filter((file) => !listed.includes(file))
  if (missing.length > 0) throw new Error(`${contentsFile} names no ${missing.join(', no ')}`)
  const shelves = await Promise.all(
    parts.map(async ({ title, files: named }) => ({
      title,
      guides: await Promise.all(named.map((file) => entryOf(file, files))),
    })),
  )
  const loaders = listed.map((file) => {
    const name = JSON.stringify(nameOf(file))
    return `${name}: () => import(${JSON.stringify(guidePrefix + nameOf(file))})`
  })
  return `export const shelves = ${JSON.stringify(shelves)}
export const loadGuide = { ${loaders.join(', ')} }`
}

async function entryOf(file: string, files: readonly string[]) {
  const { title, summary } = await readGuide(file, files)
  return { name: nameOf(file), title, summary }
}

async function readGuide(file: string, files: readonly string[]) {
  const markdown = await readFile(join(folder, file), 'utf8')
  try {
    return parseGuide(markdown, (other) =>
      files.includes(other) ? `/library/${nameOf(other)}` : undefined,
    )
  } catch (error) {
    throw new Error(`docs/guides/${file} can’t be shown`, { cause: error })
  }
}

async function guideFiles(): Promise<string[]> {
  const all = await readdir(folder)
  return all.filter((file) => file.endsWith('.md') && file !== contentsFile)
}

export async function guideNames(): Promise<string[]> {
  return (await guideFiles()).map(nameOf)
}

function nameOf(file: string): string {
  return file.replace(/\.md$/, '')
}
