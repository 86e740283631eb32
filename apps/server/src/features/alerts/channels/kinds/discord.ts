import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { bodyOf, cut, json } from './message-text.ts'
import { pathOf } from './webhook.ts'

const contentMaxLength = 2000
/** SUPPRESS_EMBEDS: no link previews. */
const suppressEmbeds = 4

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
export function discordCall({ url }: SettingsOf<'discord'>, { message }: Delivery): Composed {
  const { title, url: page } = message
  const text = `**${asDiscord(cut(title, 200))}**\n${asDiscord(cut(bodyOf(message), 1000))}`
  // A cut link would lead elsewhere.
  const link = `\n${page}`
  return {
    call: {
      method: 'POST',
      // Discord answers only after it has stored the message, and reports failures.
      url: `${url}?wait=true`,
      headers: json,
      body: JSON.stringify({
        content: cutEscaped(text, contentMaxLength - link.length) + link,
        allowed_mentions: { parse: [] },
        flags: suppressEmbeds,
      }),
    },
    secrets: pathOf(url),
    // The webhook was deleted. Discord blocks those who keep calling deleted ones.
    endsAt: new Set([404]),
  }
}

/** Escapes Markdown, links and mentions with backslashes. */
function asDiscord(text: string): string {
  return text.replaceAll(/[\\*_~`|<>#[\]():@.+-]/g, String.raw`\$&`)
}

/** A backslash at the end would escape the next character. */
function cutEscaped(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${cut(text, maxLength - 1).replace(/\\*…$/, '')}…`
}
