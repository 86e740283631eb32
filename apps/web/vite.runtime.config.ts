import { join } from 'node:path'
import { defineConfig } from 'vite'
import { buildDir } from './build-dir.ts'
import { precompress } from './precompress.ts'

/** The scripts in /_spark, with their sources. */
const scripts = {
  /** The platform runtime, for any page of the site. */
  'runtime.js': 'runtime.ts',
  /** The platform runtime of islands, which they have as spark.js. */
  'island.js': 'island/runtime.ts',
  /** The same in the preview of a draft. */
  'preview.js': 'island/preview-runtime.ts',
  /** For the page that ends a window in which the site asked a visitor. */
  'agreed.js': 'island/agreed.ts',
}

/** Builds them one by one, each as a classic script in one file. */
export const runtimeConfigs = Object.entries(scripts).map(([script, source]) =>
  defineConfig({
    root: import.meta.dirname,
    plugins: [precompress()],
    publicDir: false,
    build: {
      outDir: join(buildDir, 'dist/_spark'),
      // The scripts before it stay.
      emptyOutDir: false,
      lib: {
        entry: `../../packages/spark/src/${source}`,
        formats: ['iife'],
        name: 'spark',
        fileName: () => script,
      },
      sourcemap: true,
      target: 'baseline-widely-available',
    },
  }),
)
