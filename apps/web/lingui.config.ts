import { languages } from '@astropelago/contract/languages'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'
import { serverSentences } from './server-sentences.ts'

/** The web app's texts and their translations: see docs/translations.md. */
export default defineConfig({
  locales: languages.slice(1),
  sourceLocale: languages[0],
  catalogs: [
    {
      path: '<rootDir>/locales/{locale}',
      include: ['src', '<rootDir>/../../packages/contract/src', '<rootDir>/../server/src'],
      exclude: ['**/*.test.*'],
    },
  ],
  extractors: [serverSentences, createSwcExtractor()],
  // Without the places where texts are used, moving code does not change the files of translators.
  format: formatter({ origins: false }),
  runtimeConfigModule: {
    i18n: ['#language', 'i18n'],
    Trans: ['#language', 'Trans'],
    useLingui: ['#language', 'useLingui'],
  },
})
