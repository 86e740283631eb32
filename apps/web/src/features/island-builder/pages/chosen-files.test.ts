import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { type FileInFolder, folderChosen, isZip } from './chosen-files.ts'
import { packFolder } from './pack-folder.ts'

const text = (path: string, content = 'x'): FileInFolder => ({
  path,
  file: new File([content], path.split('/').at(-1) ?? path),
})
const never = new AbortController().signal

test('a folder leaves out what begins with a dot, once for each', () => {
  const chosen = folderChosen([
    text('site/index.html', 'four'),
    text('site/.git/config'),
    text('site/.git/objects/ab'),
    text('site/a/.DS_Store'),
    text('site/a.b/c..d.html', 'three'),
  ])
  expect(chosen).toMatchObject({
    name: 'site',
    bytes: 9,
    files: [{ path: 'site/index.html' }, { path: 'site/a.b/c..d.html' }],
    leftOut: ['site/.git', 'site/a/.DS_Store'],
  })
  expect(folderChosen([])).toBeUndefined()
})

test('a zip is known by its type or its name', () => {
  expect(isZip(new File([], 'a', { type: 'application/zip' }))).toBe(true)
  expect(isZip(new File([], 'a', { type: 'application/x-zip-compressed' }))).toBe(true)
  expect(isZip(new File([], 'Site.ZIP'))).toBe(true)
  expect(isZip(new File([], 'zip.txt', { type: 'text/plain' }))).toBe(false)
})

test('a packed folder unpacks to the same files, and counts them', async () => {
  const long = 'Harbour tales. '.repeat(10_000)
  const counts: number[] = []
  const files = [
    text('index.html', long),
    text('bilder/größe.png', 'pixels'),
    text('empty.txt', ''),
  ]
  const zip = await packFolder(files, { signal: never, onPacked: (count) => counts.push(count) })
  const unpacked = unzipSync(new Uint8Array(await zip.arrayBuffer()))
  const texts = Object.entries(unpacked).map(([path, bytes]) => [
    path,
    new TextDecoder().decode(bytes),
  ])
  expect(texts).toEqual([
    ['index.html', long],
    ['bilder/größe.png', 'pixels'],
    ['empty.txt', ''],
  ])
  expect(zip.type).toBe('application/zip')
  expect(zip.size).toBeLessThan(long.length / 20)
  expect(counts).toEqual([1, 2, 3])
})

test('packing can be cancelled', async () => {
  const cancelling = new AbortController()
  const packing = packFolder([text('a.html'), text('b.html')], {
    signal: cancelling.signal,
    onPacked: () => cancelling.abort(),
  })
  await expect(packing).rejects.toMatchObject({ name: 'AbortError' })
})
