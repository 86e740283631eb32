import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { makeZip } from './testing/make-zip.ts'
import { UnpackThread } from './unpack-thread.ts'

const options = {
  limits: { bytes: 5_000_000, files: 10, fileBytes: 5_000_000 },
  inspect: {
    siteName: 'Astropelago',
    siteHosts: ['islands.example.org'],
    ownHosts: [],
    allowsHttps: false,
  },
}

function openThread(): UnpackThread {
  const thread = new UnpackThread()
  onTestFinished(() => thread.close())
  return thread
}

const html = `<title>Astropelago</title>\n<img src="https://a.example/b">${'<p>Hello'.repeat(99)}`
const blocked = [
  { path: 'index.html', line: 2, address: 'https://a.example/b', what: 'picture' as const },
]

test('a zip becomes a deployment, on another thread', async () => {
  const zip = makeZip([
    { name: 'dist/index.html', data: html },
    { name: '.env', data: 'x' },
  ])
  const { files, ...rest } = await openThread().unpack({ zip, ...options })
  expect(rest).toEqual({ leftOut: ['.env'] })
  expect(files).toHaveLength(1)
  const [file] = files
  expect(file).toMatchObject({ path: 'index.html', blocked, suspicion: 'name' })
  expect(file?.hash).toHaveLength(32)
  expect(Buffer.from(file?.bytes ?? []).toString()).toBe(html)
  expect(gunzipSync(file?.gzip ?? '').toString()).toBe(html)
})

test('a large zip moves to the thread instead of being copied', async () => {
  const zip = makeZip([
    { name: 'index.html', data: html },
    { name: 'a.bin', data: Buffer.alloc(4_000_000, 7), isStored: true },
  ])
  const { files } = await openThread().unpack({ zip, ...options })
  expect(Buffer.alloc(4_000_000, 7).compare(files[1]?.bytes ?? Buffer.of())).toBe(0)
  expect(zip).toHaveLength(0)
})

test('S67 files from an editor follow the same rules, and stay with the caller', async () => {
  const thread = openThread()
  const bytes = Buffer.from(html)
  const files = [
    { path: 'index.html', bytes },
    { path: 'copy.html', bytes },
    { path: '.env', bytes },
  ]
  const deployment = await thread.prepare({ files, ...options })
  expect(deployment.leftOut).toEqual(['.env'])
  expect(deployment.files.map(({ path }) => path)).toEqual(['index.html', 'copy.html'])
  expect(deployment.files[0]?.hash).toEqual(deployment.files[1]?.hash)
  expect(bytes.toString()).toBe(html)
  for (const other of [
    { path: '../index.html', bytes },
    { path: 'INDEX.html', bytes },
    { path: 'a', bytes: new Uint8Array(5_000_001) },
    { path: 'a', bytes: new Uint8Array(4_999_999) },
  ]) {
    const refused = thread.prepare({ files: [...files, other], ...options })
    await expect(refused).rejects.toMatchObject({ code: 'pages_refused' })
  }
})

test('a refusal carries its sentence, and the thread goes on', async () => {
  const thread = openThread()
  const zip = makeZip([{ name: 'start.html' }])
  await expect(thread.unpack({ zip, ...options })).rejects.toMatchObject({
    code: 'pages_refused',
    fields: { files: 'There is no index.html at the top. Visitors see that page first.' },
  })
  const good = makeZip([{ name: 'index.html', data: html }])
  expect((await thread.unpack({ zip: good, ...options })).files).toHaveLength(1)
})

test('S67 while four wait, the next one is refused and may be retried', async () => {
  const thread = openThread()
  const unpack = () =>
    thread.unpack({ zip: makeZip([{ name: 'index.html', data: html }]), ...options })
  const four = [unpack(), unpack(), unpack(), unpack()]
  await expect(unpack()).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 10 })
  expect(await Promise.all(four)).toHaveLength(4)
})
