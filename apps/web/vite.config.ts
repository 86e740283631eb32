import { join } from 'node:path'
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
import { bundleTowns } from './bundle-towns.ts'
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

/**
 * The code that every page needs, in two files instead of twenty, because on slow lines each request costs
 * more than its bytes. Dialogs, menus and toasts depend on radix, and load separately when needed.
 */
const entryChunks = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|react-router|react-error-boundary|@tanstack\/react-query|@tanstack\/query-core|valibot|cookie-es|get-nonce)\//,
  },
  {
    name: 'shared',
    test: /apps\/web\/src\/(paths|lib\/(api-error|call|destinations|emitter|format-coordinate|motion|open-sign-in|public-url|query-client|return-path|session|site-kind|stored-value|use-page-title|use-user|use-when-idle)|ui\/(avatar(-look)?|button(-styles)?|class-names|create-icon|live-region|page-header|skeleton|spinner|use-(media-query|on-demand|toast)))\.|virtual:icon\/(arrow-right|chevron-down|lock-keyhole|menu|x)$|packages\/spark\/src\/key-values|\/(class-variance-authority|clsx)\//,
  },
]

/** The code that the Observatory's page and its panels share. The page loads it before the panels. */
const observatoryChunk = {
  name: 'observatory',
  test: /features\/observatory\/(geometry\/|islands\/carried-islands|nodes\/node-(columns|name|reporting|store)|selection)|src\/ui\/view-controls/,
  includeDependenciesRecursively: false,
}

/** The small icons that most pages share, without those that only the landing page uses. */
const iconsChunk = {
  name: 'icons',
  test: /virtual:icon\/(?!(blocks|menu|pause|play|rotate-cw|zap)$)/,
  includeDependenciesRecursively: false,
  minShareCount: 2,
}

/** The parts of forms. */
const formsChunk = {
  name: 'forms',
  test: /src\/ui\/(ask-first|checkbox|combobox|control-styles|field|form-error|input|password-input|radio-card|select|text-area|text-field)\./,
  includeDependenciesRecursively: false,
}

/** The code about islands, their looks and their queries: a dozen small files that are used together. */
const islandsChunk = {
  name: 'islands',
  test: /apps\/web\/src\/(islands\/|ui\/(linked-text|local-time|split-at-links|use-today))|packages\/(island-picture\/|contract\/src\/(island|one-time-code|slugs|streams|time|whole-number))/,
  includeDependenciesRecursively: false,
}

/** The code that follows live changes: half a dozen small files that are used together. */
const liveFeedChunk = {
  name: 'live-feed',
  test: /apps\/web\/src\/lib\/live-feed\/|packages\/contract\/src\/(build-settings|feed)\.|node_modules\/eventsource-parser\//,
  includeDependenciesRecursively: false,
}

/** The parts of lists and cards that most screens show, and the texts for failures. */
const listsChunk = {
  name: 'lists',
  test: /apps\/web\/src\/(lib\/(failure-text|kept-drafts|sign-in-link|use-is-from-build|way-back)|ui\/(card|empty-state|error-line|loaded-list))\./,
  includeDependenciesRecursively: false,
}

/** The map uses parts of the globe's engine. The globe loads this file first. */
const globeChunk = {
  name: 'globe',
  test: /features\/observatory\/(drawing\/|globe\/(?!canvas2d|groups|decoration))|world-atlas\/land/,
  // The page itself uses some of the engine's dependencies, such as the nodes' columns.
  includeDependenciesRecursively: false,
}

/** The rules for devices and their texts. Most screens need all of them. */
const devicesChunk = {
  name: 'devices',
  test: /packages\/contract\/src\/(devices|limits|place|text|text-fields)\.ts/,
  includeDependenciesRecursively: false,
}

/** On slow machines Rolldown would print a report of the time that plugins took. */
const checks = { pluginTimings: false }

export default defineConfig(({ isSsrBuild = false }) => ({
  root,
  plugins: [
    react(),
    tailwindcss(),
    bundleGuides(),
    bundleIcons(),
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
        { checks, external: 'virtual:towns-url' }
      : {
          checks,
          output: {
            codeSplitting: {
              groups: [
                ...entryChunks,
                observatoryChunk,
                globeChunk,
                devicesChunk,
                islandsChunk,
                liveFeedChunk,
                listsChunk,
                formsChunk,
                iconsChunk,
              ],
            },
          },
        },
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
