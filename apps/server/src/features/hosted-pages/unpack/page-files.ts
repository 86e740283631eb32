import { pathsClash, readPath, shownName } from './site-paths.ts'

export interface PageFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface PagesLimits {
  /** Of all files together. */
  readonly bytes: number
  readonly files: number
  readonly fileBytes: number
  /** Whether they join others: then they need no index.html. */
  readonly isPart?: boolean
}

export interface ReadPages {
  readonly files: readonly PageFile[]
  /** Files and folders that don't belong to a deployment. */
  readonly leftOut: readonly string[]
}

/** Why files can't become a deployment. The message is a sentence for whoever sent them. */
export class PagesRefused extends Error {
  override readonly name = 'PagesRefused'
}

interface Candidate {
  /** As it came. */
  readonly path: string
}

/**
 * Judges the candidates by name and number, then reads those that belong to a deployment.
 * `read` returns undefined for a file of more than `maxBytes`. @throws PagesRefused
 */
export function readPages<T extends Candidate>(
  candidates: readonly T[],
  limits: PagesLimits,
  read: (candidate: T, maxBytes: number) => Uint8Array | undefined,
): ReadPages {
  const { chosen, leftOut } = choose(candidates, limits)
  const topFolder = limits.isPart === true ? '' : topFolderOf(chosen.map(({ path }) => path))
  let left = limits.bytes
  const files = chosen.map(({ candidate, path }) => {
    const maxBytes = Math.min(left, limits.fileBytes)
    const bytes = read(candidate, maxBytes)
    if (bytes === undefined) throw tooLarge(path, left, limits)
    left -= bytes.length
    return { path: path.slice(topFolder.length), bytes }
  })
  return { files, leftOut }
}

function choose<T extends Candidate>(candidates: readonly T[], limits: PagesLimits) {
  const chosen: { readonly candidate: T; readonly path: string }[] = []
  const leftOut = new Set<string>()
  for (const candidate of candidates) {
    const read = readPath(candidate.path)
    if ('refusal' in read) throw new PagesRefused(read.refusal)
    if ('leftOut' in read) leftOut.add(read.leftOut)
    else chosen.push({ candidate, path: read.path })
  }
  if (chosen.length > limits.files) {
    const sentence = `These are ${chosen.length} files. An island has at most ${limits.files}.`
    throw new PagesRefused(sentence)
  }
  const clash = pathsClash(chosen.map(({ path }) => path))
  if (clash !== undefined) throw new PagesRefused(clash)
  return { chosen, leftOut: [...leftOut] }
}

/** What all paths begin with if somebody packed the folder itself; empty if they packed its files. */
function topFolderOf(paths: readonly string[]): string {
  if (paths.includes('index.html')) return ''
  const [first = ''] = paths
  const folder = first.slice(0, first.indexOf('/') + 1)
  const isPacked = paths.every((path) => path.startsWith(folder))
  if (isPacked && paths.includes(`${folder}index.html`)) return folder
  const inside = paths.find((path) => path.endsWith('/index.html'))
  const advice =
    inside === undefined
      ? 'Visitors see that page first.'
      : `There is ${shownName(inside)}: send what is in its folder.`
  throw new PagesRefused(`There is no index.html at the top. ${advice}`)
}

function tooLarge(path: string, left: number, { bytes, fileBytes }: PagesLimits): PagesRefused {
  const sentence =
    left < fileBytes
      ? `Together, the files are larger than ${sizeText(bytes)}.`
      : `${shownName(path)} is larger than ${sizeText(fileBytes)}.`
  return new PagesRefused(sentence)
}

function sizeText(bytes: number): string {
  const isSmall = bytes < 1024 ** 2
  return `${Math.floor(bytes / 1024 ** (isSmall ? 1 : 2))} ${isSmall ? 'kB' : 'MB'}`
}
