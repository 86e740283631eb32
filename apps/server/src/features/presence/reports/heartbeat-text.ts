import { stripVTControlCharacters } from 'node:util'
import { heartbeatTextMaxBytes } from '@astropelago/contract/limits'
import { normalizeLongText } from '@astropelago/contract/text'

/** Colours and the like take room too. What is past it is never looked at. */
const readMaxBytes = 4 * heartbeatTextMaxBytes

/** Control characters but those that break lines and tabs, and what reorders text. */
const unreadable = /[^\P{Cc}\t\n\r\u0085]|\p{Bidi_Control}/gu

/** More marks on one letter than `normalizeLongText` takes. */
const tooManyMarks = /(\p{M}{31})\p{M}+/gu

/** Whether a heartbeat's body is for the owner to read. */
export function isPlainText(contentType: string | undefined): boolean {
  return /^\s*text\/plain\s*(?:;|$)/i.test(contentType ?? '')
}

/**
 * What a heartbeat says, as it is kept; undefined where nothing of it can be seen. No body is refused: what a tool
 * prints, such as colours or bytes in another encoding, must not make its device go offline.
 */
export function heartbeatText(body: Buffer): string | undefined {
  // A letter that is cut through at the end is left out.
  const decoded = new TextDecoder().decode(body.subarray(0, readMaxBytes), { stream: true })
  const readable = stripVTControlCharacters(decoded).replace(unreadable, '')
  const text = normalizeLongText(readable.replace(tooManyMarks, '$1'))
  return text === undefined || text === '' ? undefined : cutToLimit(text)
}

function cutToLimit(text: string): string {
  const bytes = Buffer.alloc(heartbeatTextMaxBytes)
  // Writes whole characters alone.
  return bytes.toString('utf8', 0, bytes.write(text)).trimEnd()
}
