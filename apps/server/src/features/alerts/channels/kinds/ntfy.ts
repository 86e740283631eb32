import type { AlertMessage } from '../channel.ts'
import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { bodyOf, cut, cutBytes, json, withoutLinks } from './message-text.ts'

/** ntfy turns longer messages into attachments. */
const messageMaxBytes = 4096
const titleMaxLength = 250

/**
 * https://docs.ntfy.sh/publish/#publish-as-json. JSON goes to the server's root. ntfy reads no Markdown
 * unless told to.
 */
export function ntfyCall({ topic, token }: SettingsOf<'ntfy'>, { message }: Delivery): Composed {
  const { origin, pathname } = new URL(topic)
  const name = pathname.slice(1)
  return {
    call: {
      method: 'POST',
      url: `${origin}/`,
      headers: { ...json, ...(token !== null && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({
        topic: name,
        title: cut(withoutLinks(message.title), titleMaxLength),
        // ntfy writes "triggered" if the message is empty.
        message: cutBytes(withoutLinks(bodyOf(message) || message.title), messageMaxBytes),
        click: message.url,
        priority: message.kind === 'online' ? 3 : 4,
        tags: [tags[message.kind]],
      }),
    },
    // Anybody who knows a topic can read it.
    secrets: [name, ...(token === null ? [] : [token])],
    endsAt: new Set(),
  }
}

/** Tags that ntfy shows as emojis: https://docs.ntfy.sh/emojis/ */
const tags: Readonly<Record<AlertMessage['kind'], string>> = {
  offline: 'red_circle',
  online: 'green_circle',
  warning: 'warning',
  several: 'warning',
  report: 'triangular_flag_on_post',
  test: 'bell',
}
