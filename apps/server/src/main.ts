import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// A quarter of a start goes into compiling what has not changed. Kept beside what it is made of, where
// nobody else writes, and done without where the server may not write either.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
// What is imported before that is not kept.
await import('./serve.ts')
