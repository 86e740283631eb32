import { isUtf8 } from 'node:buffer'
import { normalizeLongText } from '@astropelago/contract/text'
import { DomainError } from '../../../domain-error.ts'

/** Whether a heartbeat's body is for the owner to read. */
export function isPlainText(contentType: string | undefined): boolean {
  return /^\s*text\/plain\s*(?:;|$)/i.test(contentType ?? '')
}

/**
 * What a heartbeat says, as it is kept; undefined where nothing of it can be seen.
 * @throws DomainError `invalid_text`
 */
export function heartbeatText(body: Buffer): string | undefined {
  const text = isUtf8(body) ? normalizeLongText(body.toString()) : undefined
  if (text === undefined) throw new DomainError('invalid_text')
  return text === '' ? undefined : text
}
