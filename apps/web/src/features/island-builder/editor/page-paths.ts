import { t } from '@lingui/core/macro'
import { ApiError } from '../../../lib/api-error.ts'
import { failureText } from '../../../lib/failure-text.ts'

/** What a refusal says about the files, or else in general. */
export function refusalText(error: unknown): string | undefined {
  const files = error instanceof ApiError ? error.fields['files'] : undefined
  return files ?? failureText(error)
}

/** What is wrong with a new path, as far as the page can tell. The server judges the rest. */
export function pathProblem(path: string, taken: readonly string[]): string | undefined {
  if (path === '') return t`Enter a name.`
  if (path.endsWith('/')) return t`Enter a name after the folder.`
  const isTaken = taken.some((other) => other.toLowerCase() === path.toLowerCase())
  return isTaken ? t`There is a file with this name already.` : undefined
}

/** Without what people add to paths in addresses. */
export function tidyPath(typed: string): string {
  return typed.trim().replace(/^\/+/, '')
}

interface Folder {
  /** Ends in a slash; empty at the top. */
  readonly name: string
  readonly files: readonly { readonly path: string; readonly name: string }[]
}

/** The folders by name, with the top one first. */
export function foldersOf(paths: readonly string[]): readonly Folder[] {
  const folders = Map.groupBy(paths.toSorted(), (path) => path.slice(0, path.lastIndexOf('/') + 1))
  return [...folders]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inside]) => ({
      name,
      files: inside.map((path) => ({ path, name: path.slice(name.length) })),
    }))
}

/** The file that opens first. */
export function firstFile(paths: readonly string[]): string | undefined {
  return paths.includes('index.html') ? 'index.html' : paths[0]
}

/** The text that a new file begins with. */
export function startingText(path: string): string {
  if (!/\.html?$/i.test(path)) return ''
  return `<!doctype html>
<html lang="${document.documentElement.lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title></title>
  </head>
  <body>
  </body>
</html>
`
}
