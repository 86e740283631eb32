/** The words of a search, none of them empty: as typed, and in lower case without accents. */
export interface SearchQuery {
  readonly typed: readonly string[]
  readonly folded: readonly string[]
}

/** Best first: a name equals the search, begins with it, has words that do, or contains it. */
export const searchRanks = ['exact', 'beginning', 'words', 'inside'] as const
export type SearchRank = (typeof searchRanks)[number]

/** Shorter words match only the beginning of a word, because a trigram index cannot find less. */
export const insideMinLength = 3
const maxWords = 8

/** The same as in the migration that creates the index. */
const separators = /[\s\p{Cc}!"#$%&()*+,\-./:;<=>?@[\\\]^_`{|}~]+/u
const apostrophes = /['’]/g
const accents = /[\u0300-\u036f]/g

export function parseSearch(text: string): SearchQuery {
  const typed = wordsOf(text.normalize('NFC')).slice(0, maxWords)
  return { typed, folded: typed.map(fold).filter((word) => word !== '') }
}

/** How well a name matches, or else the name with more text; undefined if neither does. */
export function rankOf({ folded }: SearchQuery, name: string, more = ''): SearchRank | undefined {
  const words = wordsOf(fold(name))
  const whole = words.join(' ')
  const asked = folded.join(' ')
  if (asked === '') return undefined
  if (whole === asked) return 'exact'
  if (whole.startsWith(asked)) return 'beginning'
  const all = [...words, ...wordsOf(fold(more))]
  const begins = (word: string) => all.some((one) => one.startsWith(word))
  if (folded.every(begins)) return 'words'
  const isInside = (word: string) =>
    begins(word) || (codePoints(word) >= insideMinLength && all.some((one) => one.includes(word)))
  return folded.every(isInside) ? 'inside' : undefined
}

export function codePoints(word: string): number {
  return Array.from(word).length
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll(apostrophes, '')
    .split(separators)
    .filter((word) => word !== '')
}

/** Folds letter by letter, as databases do. Folding the whole text would change a sigma at its end. */
function fold(text: string): string {
  const bare = text.normalize('NFD').replaceAll(accents, '')
  return Array.from(bare, (char) => char.toLowerCase()).join('')
}
