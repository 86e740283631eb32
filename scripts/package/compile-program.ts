import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, posix } from 'node:path'

/** Strings that name a file of the repository, in imports and in URLs such as a worker's. */
const relativePattern = /'(\.\.?\/[^'\n]+\.ts)'/g
const packagePattern = /'@astropelago\/([a-z-]+)\/([a-z-]+)'/g
const assetPattern = /new URL\(\s*'(\.\.?\/[^'\n]+)',\s*import\.meta\.url\s*\)/g

interface CompiledFile {
  readonly code: string
  /** TypeScript files that it needs, by path relative to the repository's root. */
  readonly imports: readonly string[]
  /** Other files that it reads. */
  readonly assets: readonly string[]
}

/**
 * Turns one TypeScript file into the JavaScript that Node would run. Types become blanks, so line numbers
 * stay the same.
 * @param path relative to the repository's root
 */
export function compileFile(path: string, source: string): CompiledFile {
  const folder = posix.dirname(path)
  const imports: string[] = []
  const code = stripTypeScriptTypes(source)
    .replace(packagePattern, (_, from: string, name: string) => {
      const target = `packages/${from}/src/${name}.ts`
      imports.push(target)
      return `'${asRelative(posix.relative(folder, target)).replace(/\.ts$/, '.js')}'`
    })
    .replace(relativePattern, (_, specifier: string) => {
      imports.push(posix.join(folder, specifier))
      return `'${specifier.replace(/\.ts$/, '.js')}'`
    })
  const left = /['"`](@astropelago\/[^'"`\n]*|\.\.?\/[^'"`\n]*\.tsx?)['"`]/.exec(code)
  if (left !== null) throw new Error(`${path} names ${left[1]}, which no package has`)
  const assets = [...code.matchAll(assetPattern)].flatMap(([, specifier = '']) =>
    /(?:\.[a-z]+|\/)$/.test(specifier) && !specifier.endsWith('.js')
      ? [posix.join(folder, specifier)]
      : [],
  )
  return { code, imports, assets }
}

function asRelative(path: string): string {
  return path.startsWith('.') ? path : `./${path}`
}

/**
 * Writes programs and everything that they import as JavaScript, into the same folders below `target`. Node
 * does not run TypeScript below node_modules, where packages are.
 * @param entries by path relative to the repository's root
 * @returns the compiled paths
 */
export async function compilePrograms(
  entries: readonly string[],
  root: string,
  target: string,
): Promise<ReadonlySet<string>> {
  const compiled = new Set<string>()
  const waiting = [...entries]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (compiled.has(path)) continue
    compiled.add(path)
    const { code, imports, assets } = compileFile(path, await readFile(join(root, path), 'utf8'))
    const to = join(target, path.replace(/\.ts$/, '.js'))
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, code)
    for (const asset of assets) {
      await cp(join(root, asset), join(target, asset), { recursive: true })
    }
    waiting.push(...imports)
  }
  return compiled
}
