/** What somebody looks for, in words, none of which is empty. */
export interface SearchQuery {
  /** As they were typed. */
  readonly typed: readonly string[]
  /** In small letters and without accents. */
  readonly folded: readonly string[]
}

/** How well a name answers, the best first: it is what was typed, begins with it, has words that do, or has it inside. */
export const searchRanks = ['exact', 'beginning', 'words', 'inside'] as const
export type SearchRank = (typeof searchRanks)[number]

/** Fewer letters are found at the beginning of a word alone: an index by trigrams knows no less. */
export const insideMinLength = 3
/** Each costs a look into the index. */
const maxWords = 8

/** As the migration that makes the index has them. */
const separators = /[\s\p{Cc}!"#$%&()*+,\-./:;<=>?@[\\\]^_`{|}~]+/u
const apostrophes = /['’]/g
const accents = /[\u0300-\u036f]/g

export function parseSearch(text: string): SearchQuery {
  const typed = wordsOf(text.normalize('NFC')).slice(0, maxWords)
  return { typed, folded: typed.map(fold).filter((word) => word !== '') }
}

/** How well a name, or failing that what else is told of a thing, answers; undefined where it does not. */
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

/** Letter by letter, as databases do it: in one piece a sigma at the end becomes another one. */
function fold(text: string): string {
  const bare = text.normalize('NFD').replaceAll(accents, '')
  return Array.from(bare, (char) => char.toLowerCase()).join('')
}
