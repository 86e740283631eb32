import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PagesRefused } from './page-files.ts'
import { makeZip, type ZipPart } from './testing/make-zip.ts'
import { unpackZip } from './unpack-zip.ts'

const limits = { bytes: 100_000, files: 20, fileBytes: 60_000 }
const index = { name: 'index.html', data: '<h1>Hello</h1>' }

async function unpacked(parts: readonly ZipPart[], options = {}) {
  const { files, leftOut } = await unpackZip(makeZip(parts, options), limits)
  const texts = files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])
  return { files: Object.fromEntries(texts), leftOut }
}

function refused(sentence: string | RegExp = '') {
  return expect.objectContaining({
    name: 'PagesRefused',
    message: expect.stringMatching(sentence),
  })
}

async function refusalOf(zip: Buffer): Promise<unknown> {
  return await unpackZip(zip, limits).then(
    () => undefined,
    (error: unknown) => error,
  )
}

test('files come out as they went in, and folders are no files', async () => {
  const parts = [
    index,
    { name: 'assets/' },
    { name: 'assets/app.js', data: 'go()', isStored: true },
    { name: 'empty.txt' },
  ]
  expect(await unpacked(parts)).toEqual({
    files: { 'index.html': index.data, 'assets/app.js': 'go()', 'empty.txt': '' },
    leftOut: [],
  })
})

test('zip64, and sizes that follow the data, are understood', async () => {
  const parts = [
    { ...index, isZip64: true },
    { name: 'a.txt', data: 'a', hasDescriptor: true },
  ]
  const files = { 'index.html': index.data, 'a.txt': 'a' }
  expect(await unpacked(parts, { isZip64: true })).toEqual({ files, leftOut: [] })
})

test('each file has memory of its own, which can move to another thread', async () => {
  const stored = { name: 'a.txt', data: 'a', isStored: true }
  const { files } = await unpackZip(makeZip([index, stored]), limits)
  expect(files.map(({ bytes }) => bytes.buffer.byteLength)).toEqual([14, 1])
})

test('what tools add is left out, even a link or a file that is too large', async () => {
  const parts = [
    index,
    { name: '.DS_Store', data: 'x' },
    { name: '.git/a', data: 'x'.repeat(70_000) },
    { name: '.git/b', mode: 0o120777, data: '/etc/passwd' },
    { name: '__MACOSX/._index.html' },
  ]
  const leftOut = ['.DS_Store', '.git', '__MACOSX']
  expect(await unpacked(parts)).toEqual({ files: { 'index.html': index.data }, leftOut })
})

describe('a folder that was packed itself', () => {
  test('is taken off', async () => {
    const parts = [
      { name: 'dist/', data: '' },
      { name: 'dist/index.html', data: 'a' },
      { name: 'dist/js/app.js', data: 'b' },
      { name: '__MACOSX/dist/._index.html' },
    ]
    const files = { 'index.html': 'a', 'js/app.js': 'b' }
    expect(await unpacked(parts)).toEqual({ files, leftOut: ['__MACOSX'] })
  })

  test('stays if a file lies beside it, or there is an index.html at the top', async () => {
    const parts = [{ name: 'dist/index.html' }, { name: 'read-me.txt' }]
    expect(await refusalOf(makeZip(parts))).toEqual(refused('dist/index.html'))
    const { files } = await unpacked([index, { name: 'dist/index.html' }])
    expect(Object.keys(files)).toEqual(['index.html', 'dist/index.html'])
  })

  test('is taken off once', async () => {
    const { files } = await unpacked([{ name: 'a/index.html' }, { name: 'a/a/index.html' }])
    expect(Object.keys(files)).toEqual(['index.html', 'a/index.html'])
    const deep = makeZip([{ name: 'a/b/index.html' }])
    expect(await refusalOf(deep)).toEqual(refused('There is “a/b/index.html”'))
  })
})

test('without an index.html there are no pages', async () => {
  const sentence = 'There is no index.html at the top. Visitors see that page first.'
  for (const parts of [[], [{ name: 'start.html' }], [{ name: 'a/' }], [{ name: '.env' }]]) {
    expect(await refusalOf(makeZip(parts))).toEqual(refused(sentence))
  }
})

/** The Unicode field of Info-ZIP, for a name with this checksum. */
function unicodeField(text: string, checksum: number): Buffer {
  const [head, name] = [Buffer.alloc(9), Buffer.from(text)]
  head.writeUInt16LE(0x7075, 0)
  head.writeUInt16LE(5 + name.length, 2)
  head[4] = 1
  head.writeUInt32LE(checksum, 5)
  return Buffer.concat([head, name])
}

describe('names', () => {
  test('in UTF-8 need no flag, and older ones are read in the DOS alphabet', async () => {
    const parts = [
      index,
      { name: 'für.html', flags: 0 },
      { name: Buffer.from('f\x81r/uns.html', 'latin1'), flags: 0 },
    ]
    const { files } = await unpacked(parts)
    expect(Object.keys(files)).toEqual(['index.html', 'für.html', 'für/uns.html'])
  })

  test('of the Unicode field count if they belong to the name', async () => {
    const name = Buffer.from('f_r.html')
    const { files } = await unpacked([
      index,
      { name, extra: unicodeField('für.html', crc32(name)) },
    ])
    expect(Object.keys(files)).toContain('für.html')
    const { files: others } = await unpacked([index, { name, extra: unicodeField('für.html', 1) }])
    expect(Object.keys(others)).toContain('f_r.html')
  })

  test.each([
    ['that leave the folder', '../../etc/passwd'],
    ['that are absolute', '/etc/passwd'],
    ['with NUL', 'a\0.html'],
    ['with a backslash', 'a\\b.html'],
    ['with broken UTF-8', Buffer.from([0x61, 0xff, 0xfe])],
    ['that differ in case', 'INDEX.html'],
    ['that are there twice', 'index.html'],
    ['that are a folder too', 'index.html/a'],
    ['that differ in their Unicode form', 'ｉndex.html'],
  ])('S67 %s are refused', async (_, name) => {
    const zip = makeZip([index, { name, data: 'x', flags: 0x800 }])
    expect(await refusalOf(zip)).toEqual(refused(/^“/))
  })
})

describe('S67 more than the limits is refused', () => {
  test.each([
    ['a large file', [{ name: 'a', data: 'x'.repeat(60_001) }], '“a” is larger than 58 kB.'],
    [
      'a large stored file',
      [{ name: 'a', data: 'x'.repeat(60_001), isStored: true }],
      '“a” is larger',
    ],
    [
      'many bytes together',
      [
        { name: 'a', data: 'x'.repeat(60_000) },
        { name: 'b', data: 'x'.repeat(40_000) },
      ],
      'Together, the files are larger than 97 kB.',
    ],
    [
      'many files',
      Array.from({ length: 20 }, (_, at) => ({ name: `${at}` })),
      'These are 21 files. An island has at most 20.',
    ],
  ])('%s', async (_, parts, sentence) => {
    expect(await refusalOf(makeZip([index, ...parts]))).toEqual(refused(sentence))
  })

  test('and exactly the limits is not', async () => {
    const large = [60_000, 40_000 - index.data.length].map((size, at) => ({
      name: `${at}`,
      data: 'x'.repeat(size),
    }))
    const empty = Array.from({ length: 17 }, (_, at) => ({ name: `empty-${at}` }))
    const { files } = await unpacked([index, ...large, ...empty])
    expect(Object.keys(files)).toHaveLength(20)
  })

  test('10,000 entries, by their declared number, before one is read', async () => {
    const parts = Array.from({ length: 10_000 }, (_, at) => ({
      name: `.git/${at}`,
      isStored: true,
    }))
    const sentence = 'This zip holds 10001 files and folders'
    expect(await refusalOf(makeZip([index, ...parts]))).toEqual(refused(sentence))
    const few = makeZip([index], { entryCount: 1021 })
    expect(await refusalOf(few)).toEqual(refused('This zip holds 1021'))
    const more = makeZip([index], { entryCount: 2 ** 40, isZip64: true })
    expect(await refusalOf(more)).toEqual(refused('This zip holds 10995'))
  })

  test('a bomb of 1 : 1000, before it is unpacked to the end', async () => {
    const bomb = deflateRawSync(Buffer.alloc(20_000_000)).subarray(0, 10_000)
    const packed = Buffer.concat([bomb, Buffer.alloc(100, 0xff)])
    const zip = makeZip([index, { name: 'a', packed, size: 10 }])
    expect(await refusalOf(zip)).toEqual(refused('“a” is larger'))
  })
})

describe('S67 a zip that lies is refused', () => {
  test.each<[string, readonly ZipPart[]]>([
    ['about a size, downwards', [index, { name: 'a', data: 'abc', size: 2 }]],
    ['about a size, upwards', [index, { name: 'a', data: 'abc', size: 4 }]],
    [
      'about the size of a stored file',
      [index, { name: 'a', data: 'abc', isStored: true, size: 9 }],
    ],
    ['about a packed size, downwards', [index, { name: 'a', data: 'abc', packedSize: 2 }]],
    ['about a packed size, beyond the end', [index, { name: 'a', data: 'abc', packedSize: 999 }]],
    ['about a packed size, beyond 2 ** 53', [{ ...index, packedSize: 2 ** 60, isZip64: true }]],
    ['about a checksum', [index, { name: 'a', data: 'abc', crc: 1 }]],
    [
      'about the deflated data',
      [index, { name: 'a', data: 'abc', packed: Buffer.from('no data') }],
    ],
    ['with one entry’s data in two names', [index, { ...index, name: 'a', offset: 0 }]],
    ['about where its entry is', [index, { name: 'a', data: 'abc', offset: 7 }]],
  ])('%s', async (_, parts) => {
    expect(await refusalOf(makeZip(parts))).toEqual(refused('This is no zip'))
  })

  test('with an entry inside of another', async () => {
    const inner = { name: 'b', data: 'bytes that count twice' }
    const outer = { name: 'a', data: makeZip([inner]), isStored: true }
    const offset = makeZip([index, outer]).indexOf(makeZip([inner]))
    const zip = makeZip([index, outer, { ...inner, offset }])
    expect(await refusalOf(zip)).toEqual(refused('This is no zip'))
  })

  test('about its number of entries', async () => {
    const zip = makeZip([index], { entryCount: 2 })
    expect(await refusalOf(zip)).toEqual(refused())
  })
})

test('S67 a zip within a zip is a file like any other', async () => {
  const inner = makeZip([{ name: 'a', data: Buffer.alloc(50_000) }])
  const { files } = await unpackZip(makeZip([index, { name: 'b.zip', data: inner }]), limits)
  expect(files.map(({ path }) => path)).toEqual(['index.html', 'b.zip'])
})

describe('S67 what is no plain file is refused', () => {
  test.each<[string, Partial<ZipPart>, RegExp]>([
    ['a symbolic link', { mode: 0o120777 }, /^“a” is a link/],
    ['a device', { mode: 0o060644 }, /^“a” is a link or something else/],
    ['a named pipe', { mode: 0o010644 }, /^“a” is a link or/],
    ['an encrypted file', { flags: 0x801 }, /^“a” is encrypted/],
    ['an unusual compression', { method: 12 }, /^“a” is compressed in an unusual way/],
  ])('%s', async (_, part, sentence) => {
    const zip = makeZip([index, { name: 'a', data: '/etc/passwd', ...part }])
    expect(await refusalOf(zip)).toEqual(refused(sentence))
  })

  test('no mode at all is that of a file', async () => {
    expect((await unpacked([{ ...index, mode: 0 }])).files).toHaveProperty(['index.html'])
  })
})

/** Whether it is refused, or becomes files within the limits, in time. */
async function isBounded(zip: Buffer): Promise<boolean> {
  const startMs = performance.now()
  const isRight = await unpackZip(zip, limits).then(
    ({ files }) => {
      const sizes = files.map(({ bytes }) => bytes.length)
      return (
        files.length <= limits.files &&
        Math.max(...sizes) <= limits.fileBytes &&
        sizes.reduce((sum, size) => sum + size, 0) <= limits.bytes &&
        files.some(({ path }) => path === 'index.html')
      )
    },
    (error: unknown) => error instanceof PagesRefused,
  )
  return isRight && performance.now() - startMs < 2000
}

describe('S67 whatever bytes come', () => {
  const good = makeZip(
    [
      { ...index, hasDescriptor: true },
      { name: 'a/b.txt', data: 'text '.repeat(100) },
      { name: 'für.png', data: 'x', isStored: true },
      { name: '.DS_Store', data: 'y' },
      { name: 'c.json', data: '{}', isZip64: true },
    ],
    { isZip64: true },
  )

  test('a cut-off zip is refused at each length', async () => {
    expect(await isBounded(good)).toBe(true)
    for (let length = 0; length < good.length; length += 1) {
      expect(await refusalOf(good.subarray(0, length))).toEqual(refused())
    }
  })

  test('a changed zip is refused or within the limits', async () => {
    const change = fc.tuple(
      fc.nat(good.length - 1),
      fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const zip = Buffer.from(good)
        for (const [at, value] of changes) zip[at] = value
        expect(await isBounded(zip)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('a zip with a piece moved, doubled or removed is refused or within the limits', async () => {
    const place = fc.nat(good.length)
    await fc.assert(
      fc.asyncProperty(place, place, place, async (from, to, at) => {
        const piece = good.subarray(Math.min(from, to), Math.max(from, to))
        expect(
          await isBounded(Buffer.concat([good.subarray(0, at), piece, good.subarray(at)])),
        ).toBe(true)
        expect(await isBounded(Buffer.concat([good.subarray(0, from), good.subarray(to)]))).toBe(
          true,
        )
      }),
      { numRuns: 300 },
    )
  })

  test('other bytes are refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await refusalOf(Buffer.from(bytes))).toEqual(refused())
      }),
    )
  })
})
