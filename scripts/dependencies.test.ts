import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('..', import.meta.url)
const decision = 'docs/decisions/0024-runtime-dependencies.md'

/** The packages that the product needs at run time, or to build the web app. */
function dependencies(): string[] {
  const packages = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(new URL(folder, root)).map((name) => `${folder}/${name}/package.json`),
  )
  const names = packages.flatMap((path) => {
    const manifest: unknown = JSON.parse(readFileSync(new URL(path, root), 'utf8'))
    const isManifest = typeof manifest === 'object' && manifest !== null
    return isManifest && 'dependencies' in manifest
      ? Object.keys(Object(manifest.dependencies))
      : []
  })
  return [...new Set(names)].filter((name) => !name.startsWith('@astropelago/')).toSorted()
}

function optionalDependencies(path: string): unknown {
  return Object(JSON.parse(readFileSync(new URL(path, root), 'utf8'))).optionalDependencies
}

test('S46 every dependency that ships has a reason in a decision', () => {
  const text = readFileSync(new URL(decision, root), 'utf8')
  const named = [...text.matchAll(/^\| `([^`]+)`\s+\| +(\S.*?) +\|/gm)].map(([, name = '']) => name)
  expect(named.toSorted()).toEqual(dependencies())
})

test('the package includes the picture library for each platform that it includes Node for', () => {
  const ofPictures = Object.entries(Object(optionalDependencies('package.json'))).filter(([name]) =>
    name.startsWith('@img/sharp-'),
  )
  expect(ofPictures).toHaveLength(4)
  expect(optionalDependencies('node_modules/sharp/package.json')).toMatchObject(
    Object.fromEntries(ofPictures),
  )
})

/**
 * The Node that runs npm is older than the one that the project brings, and npm leaves out optional
 * packages that want a newer one. After an update of Lingui, delete their `engines` from the lockfile.
 */
test('npm installs the native part of Lingui, whichever Node runs npm', () => {
  const { packages } = Object(JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')))
  const parts = Object.entries(Object(packages)).filter(([path]) =>
    path.startsWith('node_modules/@lingui/native-tools-'),
  )
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.filter(([, part]) => Object.hasOwn(Object(part), 'engines'))).toEqual([])
})
