import { createHash, randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { prepareFiles } from './prepare-files.ts'

function prepare(path: string, bytes: Uint8Array) {
  const [file] = prepareFiles([{ path, bytes }])
  return file
}

/** 20,000 bytes that can't be compressed, and some that can. */
function partlyRandom(plainBytes: number): Buffer {
  return Buffer.concat([randomBytes(20_000), Buffer.alloc(plainBytes)])
}

const text = Buffer.from('Hello, island! '.repeat(100))

test('a file gets its SHA-256 and a compressed copy', () => {
  const file = prepare('a/index.HTML', text)
  expect(file).toMatchObject({ path: 'a/index.HTML', bytes: text })
  expect(Buffer.from(file?.hash ?? [])).toEqual(createHash('sha256').update(text).digest())
  expect(gunzipSync(file?.gzip ?? text)).toEqual(text)
  expect(file?.gzip?.buffer.byteLength).toBe(file?.gzip?.length)
})

test('the same file is compressed to the same bytes', () => {
  expect(prepare('a.css', text)?.gzip).toEqual(prepare('b.css', text)?.gzip)
})

test.each([
  ['no format that compresses', 'photo.png', text],
  ['no extension', 'html', text],
  ['at most 512 bytes', 'a.html', text.subarray(0, 512)],
  ['less than a tenth to save', 'a.html', partlyRandom(1000)],
])('a file with %s gets no compressed copy', (_, path, bytes) => {
  expect(prepare(path, bytes)?.gzip).toBeNull()
})

test('a tenth to save and 513 bytes are enough', () => {
  expect(prepare('a.html', text.subarray(0, 513))?.gzip).not.toBeNull()
  expect(prepare('a.html', partlyRandom(4000))?.gzip).not.toBeNull()
})
