import { stripVTControlCharacters } from 'node:util'
import { heartbeatTextMaxBytes } from '@astropelago/contract/limits'
import { normalizeLongText } from '@astropelago/contract/text'

/** Colours and other escapes take room too. What is past it is never read. */
const readMaxBytes = 4 * heartbeatTextMaxBytes

/** Control characters except line breaks and tabs, and characters that reorder text. */
const unreadable = /[^\P{Cc}\t\n\r\u0085]|\p{Bidi_Control}/gu

/** More combining marks on one letter than `normalizeLongText` accepts. */
const tooManyMarks = /(\p{M}{31})\p{M}+/gu

/** Whether a heartbeat's body is for the owner to read. */
export function isPlainText(contentType: string | undefined): boolean {
  return /^\s*text\/plain\s*(?:;|$)/i.test(contentType ?? '')
}

/**
 * The text of a heartbeat as it is kept; undefined if nothing of it is visible. No body is refused: a tool
 * that prints colours or bytes in another encoding must not make its device go offline.
 */
export function heartbeatText(body: Buffer): string | undefined {
  // A letter that is cut off at the end is left out.
  const decoded = new TextDecoder().decode(body.subarray(0, readMaxBytes), { stream: true })
  const readable = stripVTControlCharacters(decoded).replace(unreadable, '')
  const text = normalizeLongText(readable.replace(tooManyMarks, '$1'))
  return text === undefined || text === '' ? undefined : cutToLimit(text)
}

function cutToLimit(text: string): string {
  const bytes = Buffer.alloc(heartbeatTextMaxBytes)
  // Writes whole characters only.
  return bytes.toString('utf8', 0, bytes.write(text)).trimEnd()
}
