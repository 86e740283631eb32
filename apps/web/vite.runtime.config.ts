import { join } from 'node:path'
import { defineConfig } from 'vite'
import { buildDir } from './build-dir.ts'
import { precompress } from './precompress.ts'

/** Builds the platform runtime as /_spark/runtime.js, a classic script that any page can include. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [precompress()],
  publicDir: false,
  build: {
    outDir: join(buildDir, 'dist/_spark'),
    lib: {
      entry: '../../packages/spark/src/runtime.ts',
      formats: ['iife'],
      name: 'spark',
      fileName: () => 'runtime.js',
    },
    sourcemap: true,
    target: 'baseline-widely-available',
  },
})
