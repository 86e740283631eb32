import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const compressible = /^[^.].*\.(js|css|svg|json|map)$/
/** For smaller files, the headers would cost as much as compression saves. */
const minBytes = 1024
/** Brotli's best quality, 11, takes three times as long and saves 2 % more. */
const quality = 10
/** For larger files, even that would take most of the build's time. */
const largeBytes = 300 * 1024
const largeQuality = 9

/** Writes a Brotli and a gzip version of each file, so that the server need not compress any. */
export function precompress(): Plugin {
  // The languages share many files, which are the same in each bundle.
  const done = new Set<string>()
  return {
    name: 'astropelago-precompress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        // In parallel, because zlib uses its own threads.
        const files = Object.entries(bundle).map(async ([name, file]) => {
          if (done.has(name) || !compressible.test(name)) return
          done.add(name)
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          if (source.length < minBytes) return
          const [br, gz] = await Promise.all([brotli(source, optionsFor(source)), gzipped(source)])
          this.emitFile({ type: 'asset', fileName: `${name}.br`, source: br })
          this.emitFile({ type: 'asset', fileName: `${name}.gz`, source: gz })
        })
        await Promise.all(files)
      },
    },
  }
}

function optionsFor({ length }: Buffer) {
  const chosen = length > largeBytes ? largeQuality : quality
  return { params: { [constants.BROTLI_PARAM_QUALITY]: chosen } }
}
