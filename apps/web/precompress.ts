import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const compressible = /\.(js|css|svg|json|map)$/
/** For smaller files, the headers would cost as much as compression saves. */
const minBytes = 1024
/** For larger files, Brotli's last tenth of savings would take most of the build's time. */
const largeBytes = 400 * 1024
const largeQuality = 9

/** Writes a Brotli and a gzip version of each file, so that the server need not compress any. */
export function precompress(): Plugin {
  return {
    name: 'astropelago-precompress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        // In parallel, because zlib uses its own threads.
        const files = Object.entries(bundle).map(async ([name, file]) => {
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          if (!compressible.test(name) || source.length < minBytes) return
          const [br, gz] = await Promise.all([brotli(source, optionsFor(source)), gzipped(source)])
          this.emitFile({ type: 'asset', fileName: `${name}.br`, source: br })
          this.emitFile({ type: 'asset', fileName: `${name}.gz`, source: gz })
        })
        await Promise.all(files)
      },
    },
  }
}

function optionsFor(source: Buffer) {
  const quality = source.length > largeBytes ? largeQuality : constants.BROTLI_MAX_QUALITY
  return { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }
}
