import { join } from 'node:path'
import { type Language, languages } from '@astropelago/contract/languages'
import { pages } from '@astropelago/contract/pages'
import {
  defaultSiteLogo,
  defaultSiteName,
  siteLogoPlaceholder,
  siteNamePlaceholder,
} from '@astropelago/contract/site'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { buildDir } from './build-dir.ts'
import { bundleGuides } from './bundle-guides.ts'
import { bundleIcons } from './bundle-icons.ts'
import { bundleTexts, englishTexts, textMacros } from './bundle-texts.ts'
import { bundleTowns } from './bundle-towns.ts'
import { codeSplitting } from './code-splitting.ts'
import { precompress } from './precompress.ts'
import { recordBuildSettings } from './record-build-settings.ts'

const root = import.meta.dirname
/** The server of `npm run dev`. It receives the Host header that the browser sends. */
const server = { target: `http://localhost:${process.env['PORT'] || '3000'}`, changeOrigin: false }

/** Writes the installation's name and logo into the page for `npm run dev`, as the server does. */
const nameInstallation: Plugin = {
  name: 'name-installation',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll(siteNamePlaceholder, defaultSiteName)
      .replaceAll(siteLogoPlaceholder, defaultSiteLogo),
}

/** On slow machines Rolldown would print a report of the time that plugins took. */
const checks = { pluginTimings: false }

/** English is last, so that index.html and the manifest are about its files. */
const outputs = languages.toReversed()
const clientOutput = (language: Language) => ({ codeSplitting, plugins: [bundleTexts(language)] })
const serverOutput = (language: Language) => ({
  entryFileNames: `${language}/[name].js`,
  chunkFileNames: `${language}/[name]-[hash].js`,
  plugins: [bundleTexts(language)],
})

export default defineConfig(({ command, isSsrBuild = false }) => ({
  root,
  plugins: [
    react(),
    tailwindcss(),
    bundleGuides(),
    bundleIcons(),
    command === 'serve' ? englishTexts() : textMacros(),
    nameInstallation,
    isSsrBuild ? [] : [bundleTowns(), recordBuildSettings(), precompress()],
  ],
  // The server replaces this word by a new nonce in each answer.
  html: { cspNonce: 'ASTROPELAGO_NONCE' },
  build: {
    outDir: join(buildDir, isSsrBuild ? 'dist-ssr' : 'dist'),
    // The prerendering finds a page's code through the manifest.
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    emptyOutDir: true,
    // The content security policy allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    // MapLibre has 1,070 kB, and loads only for users who open its map.
    chunkSizeWarningLimit: 1100,
    target: 'baseline-widely-available',
    rolldownOptions: isSsrBuild
      ? // No public page needs the towns, which take a while to sort.
        { checks, external: 'virtual:towns-url', output: outputs.map(serverOutput) }
      : { checks, output: outputs.map(clientOutput) },
  },
  server: {
    proxy: {
      '/api': server,
      '/_spark': server,
      // Mail programs POST to the same address that users open as a page.
      [pages.unsubscribe]: {
        ...server,
        bypass: ({ method, url }) => (method === 'POST' ? undefined : url),
      },
      '/status': server,
      '/assets': server,
    },
  },
}))
