import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const bytesPerPixel = 4

/**
 * A PNG of RGBA pixels, row by row. Each colour is rounded to a multiple of `step`, which removes the
 * dither in Chromium's gradients. Dither does not compress.
 */
export function writePng(pixels: Uint8Array, widthPx: number, step: number): Buffer {
  const rounded = pixels.map((value) => Math.min(255, Math.round(value / step) * step))
  const rowBytes = widthPx * bytesPerPixel
  const heightPx = pixels.length / rowBytes
  const header = Buffer.alloc(13)
  header.writeUInt32BE(widthPx, 0)
  header.writeUInt32BE(heightPx, 4)
  // 8 bits each for red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8)
  const rows = Array.from({ length: heightPx }, (_, row) => {
    const bytes = rounded.subarray(row * rowBytes, (row + 1) * rowBytes)
    const above = row === 0 ? new Uint8Array(rowBytes) : rounded.subarray((row - 1) * rowBytes)
    return smallestFilter(bytes, above)
  })
  const data = deflateSync(Buffer.concat(rows), { level: 9, memLevel: 9 })
  const end = chunk('IEND', Buffer.alloc(0))
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), end])
}

/**
 * The row unchanged, or as its difference from the pixel to the left or above: whichever has the smallest
 * values.
 */
function smallestFilter(row: Uint8Array, above: Uint8Array): Uint8Array {
  const candidates = [
    Uint8Array.of(0, ...row),
    Uint8Array.of(1, ...row.map((value, index) => value - (row[index - bytesPerPixel] ?? 0))),
    Uint8Array.of(2, ...row.map((value, index) => value - (above[index] ?? 0))),
  ]
  return candidates.reduce((best, next) => (weight(next) < weight(best) ? next : best))
}

function weight(bytes: Uint8Array): number {
  return bytes.reduce((sum, value) => sum + Math.min(value, 256 - value), 0)
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
