import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// What sockets read is external memory. With a limit of its own, large transfers cause several times as many
// collections of the whole heap, which take up to half of their processor time.
setFlagsFromString('--external-memory-accounted-in-global-limit')
// A quarter of a start goes into compiling code that has not changed. The cache lies beside the code,
// where no other user writes. Without write access there is no cache.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)))
// Modules that are imported before this are not cached.
await import('./serve.ts')
