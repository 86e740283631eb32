import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { bodyOf, cut, json } from './message-text.ts'
import { pathOf } from './webhook.ts'

const contentMaxLength = 2000
/** No pictures of what links lead to: SUPPRESS_EMBEDS. */
const suppressEmbeds = 4

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
export function discordCall({ url }: SettingsOf<'discord'>, { message }: Delivery): Composed {
  const { title, url: page } = message
  const text = `**${asDiscord(cut(title, 200))}**\n${asDiscord(cut(bodyOf(message), 1000))}`
  // What is cut would be a link elsewhere.
  const link = `\n${page}`
  return {
    call: {
      method: 'POST',
      // So that it answers when the message is there, and says why it is not.
      url: `${url}?wait=true`,
      headers: json,
      body: JSON.stringify({
        content: cutEscaped(text, contentMaxLength - link.length) + link,
        allowed_mentions: { parse: [] },
        flags: suppressEmbeds,
      }),
    },
    secrets: pathOf(url),
    // Deleted. Whoever goes on calling such addresses is shut out.
    endsAt: new Set([404]),
  }
}

/** What would be Markdown, a link or a mention is itself behind a backslash. */
function asDiscord(text: string): string {
  return text.replaceAll(/[\\*_~`|<>#[\]():@.+-]/g, String.raw`\$&`)
}

/** A backslash at the end would take the sign behind it for its own. */
function cutEscaped(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${cut(text, maxLength - 1).replace(/\\*…$/, '')}…`
}
