import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Language, languages } from '@astropelago/contract/languages'
import type { Plugin } from 'vite'
import { parseContents, parseGuide } from './parse-guide.ts'

const [english] = languages
const contentsFile = 'README.md'
/** What screen readers say after a link to another site. */
const newTab = {
  en: 'opens in a new tab',
  de: 'öffnet sich in einem neuen Tab',
} as const satisfies Record<Language, string>
const listId = 'virtual:guides'
const prefixOf = (language: Language) => `virtual:guide/${language}/`

/** Translations have a folder below the English guides, with the same file names. */
function folderOf(language: Language): string {
  const folder = join(import.meta.dirname, '../../docs/guides')
  return language === english ? folder : join(folder, language)
}

/**
 * Lets the app import `virtual:guides`: the guides of docs/guides in the page's language, in the order of
 * their table of contents, each with a function that loads it from a separate file.
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
        const path = id.slice(1)
        if (path === listId) {
          for (const folder of languages.map(folderOf)) {
            const files = (await readdir(folder)).filter((file) => file.endsWith('.md'))
            for (const file of files) this.addWatchFile(join(folder, file))
          }
          return await listModule()
        }
        const language = languages.find((each) => path.startsWith(prefixOf(each))) ?? english
        const file = `${basename(path)}.md`
        this.addWatchFile(join(folderOf(language), file))
        const { blocks } = await readGuide(language, file)
        return `export const blocks = ${JSON.stringify(blocks)}`
      },
    },
  }
}

async function listModule(): Promise<string> {
  const lists = await Promise.all(
    languages.map(async (language) => {
      const parts = await readContents(language)
      const shelves = await Promise.all(
        parts.map(async ({ title, files }) => ({
          title,
          guides: await Promise.all(files.map((file) => entryOf(language, file))),
        })),
      )
      const loaders = parts
        .flatMap(({ files }) => files.map(nameOf))
        .map((name) => {
          const id = JSON.stringify(`${prefixOf(language)}${name}`)
          return `${JSON.stringify(name)}: () => import(${id})`
        })
      const loadGuide = `{ ${loaders.join(', ')} }`
      const list = `{ shelves: ${JSON.stringify(shelves)}, loadGuide: ${loadGuide} }`
      return `ASTROPELAGO_LANGUAGE === ${JSON.stringify(language)} ? ${list} : `
    }),
  )
  // Conditions, so that minifying leaves out the lists of the other languages.
  return `export const { shelves, loadGuide } = ${lists.join('')}undefined`
}

/** The table of contents. Each language has to list every guide. */
async function readContents(language: Language) {
  const parts = parseContents(await readFile(join(folderOf(language), contentsFile), 'utf8'))
  const listed = new Set(parts.flatMap(({ files }) => files))
  const missing = (await guideFiles()).filter((file) => !listed.has(file))
  if (missing.length > 0) {
    throw new Error(`The ${contentsFile} in ${language} names no ${missing.join(', no ')}`)
  }
  return parts
}

async function entryOf(language: Language, file: string) {
  const { title, summary } = await readGuide(language, file)
  return { name: nameOf(file), title, summary }
}

async function readGuide(language: Language, file: string) {
  const [markdown, files] = await Promise.all([
    readFile(join(folderOf(language), file), 'utf8'),
    guideFiles(),
  ])
  try {
    return parseGuide(markdown, {
      pathOf: (other) => (files.includes(other) ? `/library/${nameOf(other)}` : undefined),
      newTab: newTab[language],
    })
  } catch (error) {
    throw new Error(`The guide ${file} in ${language} can’t be shown`, { cause: error })
  }
}

async function guideFiles(): Promise<string[]> {
  const all = await readdir(folderOf(english))
  return all.filter((file) => file.endsWith('.md') && file !== contentsFile)
}

export async function guideNames(): Promise<string[]> {
  return (await guideFiles()).map(nameOf)
}

function nameOf(file: string): string {
  return file.replace(/\.md$/, '')
}
