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
/** Where `npm run dev` has the server, which is told the address that the browser knows it by. */
const server = { target: `http://localhost:${process.env['PORT'] || '3000'}`, changeOrigin: false }

/** Writes the name and the logo into the page as the server does, for `npm run dev`. */
const nameInstallation: Plugin = {
  name: 'name-installation',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll(siteNamePlaceholder, defaultSiteName)
      .replaceAll(siteLogoPlaceholder, defaultSiteLogo),
}

/**
 * What every page needs, in two files instead of twenty: on a slow line each request costs more than
 * its bytes. Dialogs, menus and toasts bring radix along and stay apart until they are needed.
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

/** What the Observatory's page and its panels share, in one file that the page has loaded before them. */
const observatoryChunk = {
  name: 'observatory',
  test: /features\/observatory\/(geometry\/|islands\/carried-islands|nodes\/node-(columns|name|reporting|store)|selection)|src\/ui\/view-controls/,
  includeDependenciesRecursively: false,
}

/** Small signs, which most pages share: one file, and the landing page's own apart from it. */
const iconsChunk = {
  name: 'icons',
  test: /virtual:icon\/(?!(blocks|menu|pause|play|rotate-cw|zap)$)/,
  includeDependenciesRecursively: false,
  minShareCount: 2,
}

/** What forms are made of. */
const formsChunk = {
  name: 'forms',
  test: /src\/ui\/(ask-first|checkbox|combobox|control-styles|field|form-error|input|password-input|radio-card|select|text-area|text-field)\./,
  includeDependenciesRecursively: false,
}

/** What islands are, how they look and what is asked of them: a dozen small files that come together. */
const islandsChunk = {
  name: 'islands',
  test: /apps\/web\/src\/(lib\/islands\/|ui\/(island-|linked-text|local-time|split-at-links|use-today))|packages\/(island-picture\/|contract\/src\/(island|one-time-code|slugs|streams|time|whole-number))/,
  includeDependenciesRecursively: false,
}

/** How pages hear of what changes: half a dozen small files that come together. */
const liveFeedChunk = {
  name: 'live-feed',
  test: /apps\/web\/src\/lib\/(live-feed\/|island-stream)|packages\/contract\/src\/(build-settings|feed)\.|node_modules\/eventsource-parser\//,
  includeDependenciesRecursively: false,
}

/** What lists and cards are made of, which most screens show, and the words for what failed. */
const listsChunk = {
  name: 'lists',
  test: /apps\/web\/src\/(lib\/(failure-text|kept-drafts|sign-in-link|use-is-from-build|way-back)|ui\/(card|empty-state|error-line|loaded-list))\./,
  includeDependenciesRecursively: false,
}

/** The map draws with parts of the globe's engine: one file, which the globe has loaded before. */
const globeChunk = {
  name: 'globe',
  test: /features\/observatory\/(drawing\/|globe\/(?!canvas2d|groups|decoration))|world-atlas\/land/,
  // The page itself has some of what the engine is made of, such as the nodes' columns.
  includeDependenciesRecursively: false,
}

/** What a device is, and what is asked of its texts: most screens need it, and none a part of it. */
const devicesChunk = {
  name: 'devices',
  test: /packages\/contract\/src\/(devices|limits|place|text|text-fields)\.ts/,
  includeDependenciesRecursively: false,
}

/** On a slow machine Rolldown would print which plugin took how long. */
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
  // The server puts a nonce of its own for each answer in place of this word.
  html: { cspNonce: 'ASTROPELAGO_NONCE' },
  build: {
    outDir: join(buildDir, isSsrBuild ? 'dist-ssr' : 'dist'),
    // Tells the prerendering which file holds a page's code.
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    emptyOutDir: true,
    // The content security policy allows no data: addresses for fonts and scripts.
    assetsInlineLimit: 0,
    // MapLibre has 1,070 kB, and comes only to those who ask for its map.
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
      // Mail programs call what people open as a page.
      [pages.unsubscribe]: {
        ...server,
        bypass: ({ method, url }) => (method === 'POST' ? undefined : url),
      },
      '/status': server,
      '/assets': server,
    },
  },
}))
