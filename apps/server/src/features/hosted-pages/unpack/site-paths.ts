const pathMax = 200
const segmentMax = 100
const segmentsMax = 16
const shownMax = 60

type ReadPath =
  | { readonly path: string }
  | { readonly refusal: string }
  /** The file or folder that is left out. */
  | { readonly leftOut: string }

/** What operating systems and tools add to folders, besides everything that starts with a dot. */
const strays = new Set(['__macosx', 'thumbs.db', 'desktop.ini', 'icon\r'])

/** Characters that hide, reorder or break what a name shows. U+FFFD stands for bytes that are no UTF-8. */
const unreadable = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\uFFFD]/u

/** Reads the name of a file in a deployment. The path is NFC, with `/` between its segments. */
export function readPath(name: string): ReadPath {
  const fault = shapeFault(name)
  if (fault !== undefined) return { refusal: `${shownName(name)} ${fault}` }
  const segments = name.split('/')
  const stray = segments.findIndex(isStray)
  if (stray >= 0) return { leftOut: shorten(segments.slice(0, stray + 1).join('/')) }
  if (segments.some((segment) => /[. ]$/.test(segment))) {
    return { refusal: `${shownName(name)} has a name that ends in a dot or space.` }
  }
  // Before NFC, which takes long for piles of marks. It makes a name shorter by two thirds at most.
  if (name.length > pathMax * 3) return { refusal: tooLong(name) }
  if (!name.isWellFormed() || unreadable.test(name)) {
    return { refusal: `${shownName(name)} has characters that can’t be part of an address.` }
  }
  const path = name.normalize('NFC')
  const sizes = path.split('/').map(({ length }) => length)
  if (path.length > pathMax || Math.max(...sizes) > segmentMax) return { refusal: tooLong(name) }
  if (sizes.length > segmentsMax) {
    return { refusal: `${shownName(name)} is more than ${segmentsMax} folders deep.` }
  }
  return { path }
}

/** A sentence if two of these paths can’t stand side by side on every computer. */
export function pathsClash(paths: readonly string[]): string | undefined {
  const files = new Map<string, string>()
  for (const path of paths) {
    const twin = files.get(fold(path))
    if (twin === path) return `${shownName(path)} is there twice.`
    if (twin !== undefined) {
      return `${shownName(twin)} and ${shownName(path)} are the same name on many computers. Rename one.`
    }
    files.set(fold(path), path)
  }
  for (const path of paths) {
    const segments = fold(path).split('/')
    for (let depth = 1; depth < segments.length; depth += 1) {
      const file = files.get(segments.slice(0, depth).join('/'))
      if (file !== undefined) return `${shownName(file)} is both a file and a folder.`
    }
  }
  return undefined
}

/** In quotation marks, without what could break or reorder the text around it. */
export function shownName(name: string): string {
  return `“${shorten(name)}”`
}

function shapeFault(name: string): string | undefined {
  if (name === '') return 'is no name for a file.'
  if (name.includes('\\')) return 'has a backslash. Use / between folders.'
  if (name.startsWith('/') || /^[a-z]:/i.test(name)) return 'is not inside the folder of the pages.'
  const segments = name.split('/')
  if (segments.includes('..') || segments.includes('.')) return 'has . or .. among its folders.'
  if (segments.includes('')) return 'has a folder or file without a name.'
  return undefined
}

function isStray(segment: string): boolean {
  return segment.startsWith('.') || strays.has(segment.toLowerCase())
}

function tooLong(name: string): string {
  return `${shownName(name)} is too long: a path has at most ${pathMax} characters, and each folder or file ${segmentMax}.`
}

/** The same for names that a file system, a browser or an eye may take for each other. */
function fold(path: string): string {
  const plain = path.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  // Upper case first, which makes SS of ß.
  return plain.normalize('NFKC').toUpperCase().toLowerCase()
}

export function shorten(name: string): string {
  const plain = name
    .slice(0, 1000)
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  const characters = Array.from(plain)
  if (characters.length <= shownMax) return plain
  return `${characters.slice(0, shownMax / 2).join('')}…${characters.slice(-shownMax / 2).join('')}`
}
