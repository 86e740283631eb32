import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { expect, test } from 'vitest'

const manifestFile = new URL('../apps/web/dist/.vite/manifest.json', import.meta.url)
const Manifest = v.record(v.string(), v.object({ imports: v.optional(v.array(v.string()), []) }))

test('no files of the build import each other in a circle, which would run code too early', () => {
  const manifest = v.parse(Manifest, JSON.parse(readFileSync(manifestFile, 'utf8')))
  expect(Object.keys(manifest).length).toBeGreaterThan(100)
  const done = new Set<string>()
  const circles: string[][] = []
  const follow = (file: string, way: readonly string[]) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file])
    else if (!done.has(file)) {
      for (const next of manifest[file]?.imports ?? []) follow(next, [...way, file])
      done.add(file)
    }
  }
  for (const file of Object.keys(manifest)) follow(file, [])
  expect(circles).toEqual([])
})
