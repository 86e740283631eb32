import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Language, languages } from '@astropelago/contract/languages'
import type { CatalogType } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { extractMessagesFromFiles } from '@lingui/native-tools'
import { lingui } from '@lingui/vite-plugin'
import type { Plugin } from 'vite'
import { serverSentenceNote } from './server-sentences.ts'

const root = import.meta.dirname
const [english] = languages

/** Turns the macros around texts into calls of src/language/i18n.tsx. */
export function textMacros() {
  return lingui({ cwd: root, macroTransform: true })
}

/** For tests and `npm run dev`: the texts as they are in the code. */
export function englishTexts(): Plugin[] {
  const config = {
    define: {
      ASTROPELAGO_LANGUAGE: JSON.stringify(english),
      ASTROPELAGO_SERVER_SENTENCES: '{}',
    },
    // Vite looks for dependencies before the macros are gone.
    optimizeDeps: {
      include: ['@lingui/core', '@lingui/react/server'],
      exclude: ['@lingui/core/macro', '@lingui/react/macro'],
    },
  }
  return [{ name: 'astropelago-english-texts', config: () => config }, ...textMacros()]
}

/**
 * Writes the texts of a language into its code. The macros leave the id of a text; here its compiled
 * translation takes that place. So each language has files of its own, no catalogue has to load before a
 * page, and English costs hardly more than without translations. A text without a translation stays
 * English.
 */
export function bundleTexts(language: Language): Plugin {
  let texts = new Map<string, string>()
  let sentences = '{}'
  return {
    name: 'astropelago-bundle-texts',
    async renderStart() {
      const translations = await readTranslations(language)
      texts = compileTexts(await extractTexts(), translations)
      sentences = JSON.stringify(sentencesIn(translations))
    },
    renderChunk(code) {
      const translated = code
        .replaceAll('ASTROPELAGO_LANGUAGE', JSON.stringify(language))
        .replaceAll('ASTROPELAGO_SERVER_SENTENCES', () => sentences)
        .replaceAll(/\bid: "([\w-]{6})"/g, (found, id: string) => {
          const text = texts.get(id)
          return text === undefined ? found : `message: ${text}`
        })
      return { code: translated, map: null }
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        // Workers are bundled on their own.
        if (!file.fileName.endsWith('.js') || file.type !== 'asset') continue
        if (/ASTROPELAGO_LANGUAGE|@lingui\/core\/macro/.test(Buffer.from(file.source).toString())) {
          this.error(`${file.fileName} is a worker’s, so it can’t have texts`)
        }
      }
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      // A chunk that passes on the exports of another has no modules of its own.
      const files = chunks.map(({ facadeModuleId, moduleIds: [first], fileName }) => [
        [facadeModuleId, first].join(' '),
        fileName,
      ])
      const source = JSON.stringify(Object.fromEntries(files))
      this.emitFile({ type: 'asset', fileName: chunkListFile(language), source })
    },
  }
}

/** The file of each chunk in this language, by what is the same in all languages. */
export const chunkListFile = (language: Language) => `.vite/chunks-${language}.json`

/** The texts by their ids, as code. */
function compileTexts(texts: ReadonlyMap<string, string>, translations: CatalogType) {
  return new Map(
    Array.from(texts, ([id, text]) => {
      const translation = translations[id]?.translation || text
      return [id, JSON.stringify(compileMessageOrThrow(translation))]
    }),
  )
}

/** The translations of the server's sentences, by the English ones. */
function sentencesIn(translations: CatalogType): Record<string, string> {
  const sentences = Object.values(translations).flatMap(({ message, translation, comments }) =>
    message && translation && comments?.includes(serverSentenceNote)
      ? [[message, translation]]
      : [],
  )
  return Object.fromEntries(sentences)
}

/** The texts in the code, by their ids. */
async function extractTexts(): Promise<Map<string, string>> {
  const files = await Array.fromAsync(glob(join(root, 'src/**/*.{ts,tsx}')))
  const { messages, warnings } = await extractMessagesFromFiles(files)
  if (warnings.length > 0) throw new Error(warnings.join('\n'))
  return new Map(messages.map(({ id, message }) => [id, message ?? id]))
}

async function readTranslations(language: Language): Promise<CatalogType> {
  if (language === english) return {}
  const filename = join(root, `locales/${language}.po`)
  const context = { locale: language, sourceLocale: english, filename }
  return formatter().parse(await readFile(filename, 'utf8'), context)
}
