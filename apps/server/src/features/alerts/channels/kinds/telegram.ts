import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { bodyOf, cut, json, withoutLinks, withoutMentions } from './message-text.ts'

const titleMaxLength = 250
/** Telegram's limit is 4096; this leaves room for the link. */
const bodyMaxLength = 3000

/**
 * https://core.telegram.org/bots/api#sendmessage. Bold text is marked by its position, so no character of
 * the text is markup.
 */
export function telegramCall(
  { server, token, chat }: SettingsOf<'telegram'>,
  { message }: Delivery,
): Composed {
  const title = cut(asTelegram(message.title), titleMaxLength)
  const body = cut(asTelegram(bodyOf(message)), bodyMaxLength)
  return {
    call: {
      method: 'POST',
      url: `${server}/bot${token}/sendMessage`,
      headers: json,
      body: JSON.stringify({
        chat_id: chat,
        text: [title, body, message.url].filter((part) => part !== '').join('\n'),
        // Telegram counts in UTF-16, as JavaScript strings do.
        entities: [{ type: 'bold', offset: 0, length: title.length }],
        link_preview_options: { is_disabled: true },
      }),
    },
    secrets: [token],
    endsAt: new Set(),
  }
}

function asTelegram(text: string): string {
  return withoutLinks(withoutMentions(text))
}
