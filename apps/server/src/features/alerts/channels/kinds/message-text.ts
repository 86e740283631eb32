import { codePointLength } from '@astropelago/contract/text'
import type { AlertMessage } from '../channel.ts'

/** Shortens a text to `maxLength` characters. The last one is then an ellipsis. */
export function cut(text: string, maxLength: number): string {
  if (codePointLength(text) <= maxLength) return text
  return `${Array.from(text)
    .slice(0, maxLength - 1)
    .join('')}…`
}

/** Shortens a text to `maxBytes` bytes of UTF-8 without splitting a character. */
export function cutBytes(text: string, maxBytes: number): string {
  let left = text
  while (Buffer.byteLength(left) > maxBytes) {
    left = cut(
      left,
      Math.max(1, codePointLength(left) - Math.ceil((Buffer.byteLength(left) - maxBytes) / 4)),
    )
  }
  return left
}

export function bodyOf({ lines }: AlertMessage): string {
  return lines.join('\n')
}

/** For chats that read @name and @channel as mentions, with no way to turn that off. */
export function withoutMentions(text: string): string {
  return text.replaceAll('@', '@\u200B')
}

/**
 * For chats and mail programs that turn anything similar into links and commands, with no way to turn that
 * off. A zero-width space breaks up addresses, Markdown's links and pictures, and commands that begin with
 * a slash.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll('://', ':\u200B//')
    .replaceAll('](', ']\u200B(')
    .replaceAll(/\.(?=[\p{L}\p{N}])/gu, '.\u200B')
    .replaceAll(/(?<=^|\s)\/(?=\w)/gm, '/\u200B')
}

export const json = { 'content-type': 'application/json' } as const
