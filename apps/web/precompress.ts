import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(js|css|svg|json|map)$/
/** Below this the headers weigh as much as what is saved. */
const minBytes = 1024
/** Above this the last tenth that Brotli can save costs most of the build's time. */
const largeBytes = 400 * 1024
const largeQuality = 9

/** Puts a Brotli and a gzip form beside each file, so that the server compresses nothing itself. */
export function precompress(): Plugin {
  return {
    name: 'astropelago-precompress',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
          if (!compressible.test(fileName) || source.length < minBytes) continue
          this.emitFile({
            type: 'asset',
            fileName: `${fileName}.br`,
            source: brotli(source),
          })
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source) })
        }
      },
    },
  }
}

function brotli(source: Buffer): Buffer {
  const quality = source.length > largeBytes ? largeQuality : constants.BROTLI_MAX_QUALITY
  return brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}
