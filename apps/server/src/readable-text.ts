import { stripVTControlCharacters } from 'node:util'
import { normalizeLongText } from '@astropelago/contract/text'

/** Control characters except line breaks and tabs, and characters that reorder text. */
const unreadable = /[^\P{Cc}\t\n\r\u0085]|\p{Bidi_Control}/gu

/** More combining marks on one letter than `normalizeLongText` accepts. */
const tooManyMarks = /(\p{M}{31})\p{M}+/gu

/** What a program wrote, as people can read it; undefined if nothing of it is visible. */
export function readableText(written: string): string | undefined {
  const readable = stripVTControlCharacters(written).replace(unreadable, '')
  const text = normalizeLongText(readable.toWellFormed().replace(tooManyMarks, '$1'))
  return text === undefined || text === '' ? undefined : text
}
