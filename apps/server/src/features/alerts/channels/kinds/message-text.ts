import { codePointLength } from '@astropelago/contract/text'
import type { AlertMessage } from '../channel.ts'

/** At most so many characters, the last of them an ellipsis where there were more. */
export function cut(text: string, maxLength: number): string {
  if (codePointLength(text) <= maxLength) return text
  return `${Array.from(text)
    .slice(0, maxLength - 1)
    .join('')}…`
}

/** At most so many bytes of UTF-8, and whole characters. */
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

/** For chats that tell everybody whom an @ names, or what @channel is, and have no way to say that none is meant. */
export function withoutMentions(text: string): string {
  return text.replaceAll('@', '@\u200B')
}

/**
 * For chats and mail programs that make links and commands of whatever looks like one, and have no way to say that it is none: a sign
 * without width takes the look from addresses, Markdown's links and pictures, and words behind a slash.
 */
export function withoutLinks(text: string): string {
  return text
    .replaceAll('://', ':\u200B//')
    .replaceAll('](', ']\u200B(')
    .replaceAll(/\.(?=[\p{L}\p{N}])/gu, '.\u200B')
    .replaceAll(/(?<=^|\s)\/(?=\w)/gm, '/\u200B')
}

export const json = { 'content-type': 'application/json' } as const
