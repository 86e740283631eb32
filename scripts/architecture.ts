import { dirname, join, posix } from 'node:path'

export interface SourceFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string
  readonly source: string
}

interface Rule {
  readonly name: string
  /** Whether the rule applies to this file. */
  readonly governs: (path: string) => boolean
  /** Whether this file must not import that one (a path relative to the root, or a package's name). */
  readonly forbids: (imported: string, path: string) => boolean
}

const isTest = (path: string) => /\.(test|contract)\.tsx?$|\/test\/|\/testing\//.test(path)
const isUnder = (folder: string) => (path: string) => path.startsWith(`${folder}/`)
const isProductionUnder = (folder: string) => (path: string) =>
  isUnder(folder)(path) && !isTest(path)

const serverFeatures = 'apps/server/src/features'
const webFeatures = 'apps/web/src/features'
const isSqlStore = (path: string) => /\/(sql|sqlite|postgres)-[a-z-]+-store(\.ts)?$/.test(path)
/** Code that several stores of a feature share to read rows. */
const isSqlRows = (path: string) => /\/sql-[a-z-]+-rows\.ts$/.test(path)
const isDatabasePackage = (name: string) => /^(kysely|pg|node:sqlite)(\/|$)/.test(name)

/** The feature's folder that contains a path; undefined if none does. */
function featureOf(folder: string, path: string): string | undefined {
  return isUnder(folder)(path) ? path.slice(folder.length + 1).split('/', 1)[0] : undefined
}

/** What several features know of devices and of islands: a layer between them and `ui` and `lib`. */
const webDomains = ['checks', 'devices', 'islands', 'neighbours'].map(
  (folder) => `apps/web/src/${folder}`,
)
const isWebDomain = (path: string) => webDomains.some((folder) => isUnder(folder)(path))

export const rules: readonly Rule[] = [
  {
    name: 'the contract imports Valibot and itself, and does no I/O',
    governs: isProductionUnder('packages/contract/src'),
    forbids: (imported) => imported !== 'valibot' && !imported.startsWith('packages/contract/src/'),
  },
  {
    name: 'the platform runtime imports React, the contract and itself',
    governs: isProductionUnder('packages/spark/src'),
    forbids: (imported) =>
      imported !== 'react' && !/^packages\/(spark|contract)\/src\//.test(imported),
  },
  {
    name: 'the pictures of islands import nothing else',
    governs: isProductionUnder('packages/island-picture/src'),
    forbids: (imported) => !imported.startsWith('packages/island-picture/src/'),
  },
  {
    name: 'the server does not import the web app',
    governs: isUnder('apps/server'),
    forbids: isUnder('apps/web'),
  },
  {
    name: 'the web app does not import the server or Node',
    governs: isProductionUnder('apps/web/src'),
    forbids: (imported) => imported.startsWith('apps/server/') || imported.startsWith('node:'),
  },
  {
    name: 'a server feature imports only types of another one’s public.ts',
    governs: isProductionUnder(serverFeatures),
    forbids: (imported, path) => {
      const other = featureOf(serverFeatures, imported)
      const isPublic = imported === `${serverFeatures}/${other}/public.ts`
      return other !== undefined && other !== featureOf(serverFeatures, path) && !isPublic
    },
  },
  {
    name: 'http and storage serve every feature and import none',
    governs: (path) =>
      isProductionUnder('apps/server/src/http')(path) ||
      isProductionUnder('apps/server/src/storage')(path),
    forbids: isUnder(serverFeatures),
  },
  {
    name: 'only a *-feature.ts picks SQL stores',
    // A store for one database consists of the shared part and that database's own part.
    governs: (path) =>
      isProductionUnder('apps/server/src')(path) &&
      !/-feature(\.ts)?$/.test(path) &&
      !isSqlStore(path),
    forbids: isSqlStore,
  },
  {
    name: 'only storage and the SQL stores know the database',
    governs: (path) =>
      isProductionUnder('apps/server/src')(path) &&
      !isUnder('apps/server/src/storage')(path) &&
      !isSqlStore(path) &&
      !isSqlRows(path),
    forbids: isDatabasePackage,
  },
  {
    name: 'a web feature imports no other one',
    governs: isProductionUnder(webFeatures),
    forbids: (imported, path) => {
      const other = featureOf(webFeatures, imported)
      return other !== undefined && other !== featureOf(webFeatures, path)
    },
  },
  {
    name: 'the web app’s checks, devices and islands import no feature',
    governs: (path) => isWebDomain(path) && !isTest(path),
    forbids: isUnder(webFeatures),
  },
  {
    name: 'ui components import neither the router, the API nor a feature',
    governs: isProductionUnder('apps/web/src/ui'),
    forbids: (imported) =>
      /^(react-router|@tanstack\/react-query)(\/|$)/.test(imported) ||
      /^(apps\/web\/src\/(lib|checks|devices|islands|neighbours|features|routes|paths))(\/|\.|$)/.test(
        imported,
      ),
  },
  {
    name: 'the web app’s lib imports neither features nor what they know of checks, devices and islands',
    governs: isProductionUnder('apps/web/src/lib'),
    forbids: (imported) => isUnder(webFeatures)(imported) || isWebDomain(imported),
  },
]

const vagueName = /^(utils?|helpers?|misc|common|managers?)(\.tsx?)?$/
const kebabName = /^[a-z0-9_]+(-[a-z0-9]+)*(\.[a-z]+(-[a-z]+)*)*$/

/** Every violation of a rule, one line each: the file, its import, the rule. */
export function violations(files: readonly SourceFile[]): string[] {
  return [
    ...files.flatMap((file) => [...importViolations(file), ...otherViolations(file)]),
    ...cycles(files),
  ]
}

/**
 * Circular imports, one line for each circle. Imports of types, lazy imports of pages, and workers count
 * like all others.
 */
function cycles(files: readonly SourceFile[]): string[] {
  const importsByPath = new Map(files.map(({ path, source }) => [path, importsOf(path, source)]))
  const finished = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) {
      const ring = [...trail.slice(trail.indexOf(path)), path]
      found.push(`${ring.join(' imports ')}: no circular imports`)
    } else if (!finished.has(path)) {
      for (const imported of importsByPath.get(path) ?? []) visit(imported, [...trail, path])
      finished.add(path)
    }
  }
  for (const path of importsByPath.keys()) visit(path, [])
  return found
}

function importViolations({ path, source }: SourceFile): string[] {
  const governing = rules.filter((rule) => rule.governs(path))
  return importsOf(path, source).flatMap((imported) =>
    governing
      .filter((rule) => rule.forbids(imported, path))
      .map((rule) => `${path} imports ${imported}: ${rule.name}`),
  )
}

function otherViolations({ path, source }: SourceFile): string[] {
  const found: string[] = []
  const names = path.split('/')
  if (names.some((name) => vagueName.test(name))) found.push(`${path}: a vague name`)
  if (!names.every((name) => kebabName.test(name))) found.push(`${path}: names are kebab-case`)
  if (isUnder('apps')(path) && /^index\.tsx?$/.test(names.at(-1) ?? '')) {
    found.push(`${path}: no barrels inside apps`)
  }
  if (isUnder(serverFeatures)(path) && /^import (?!type\b).*\/public\.ts'/m.test(source)) {
    found.push(`${path}: public.ts exports only types`)
  }
  const readsEnvironment = /\bprocess\.env\b/.test(source) && isProductionUnder('apps/server')(path)
  if (readsEnvironment && path !== 'apps/server/src/config.ts') {
    found.push(`${path}: config.ts is the only reader of the environment`)
  }
  return found
}

const importPattern = /(?:\bfrom\s+|\bimport\s*\(?\s*|\bnew URL\(\s*)'([^']+)'/g

/** The imports of a file: packages by name, files of the repository by path relative to its root. */
export function importsOf(path: string, source: string): string[] {
  return [...source.matchAll(importPattern)].flatMap(([, specifier]) => {
    if (specifier === undefined) return []
    if (specifier.startsWith('.')) return [posix.normalize(join(dirname(path), specifier))]
    const ownPackage = /^@astropelago\/([\w-]+)\/(.+)$/.exec(specifier)
    return ownPackage === null ? [specifier] : [`packages/${ownPackage[1]}/src/${ownPackage[2]}`]
  })
}
