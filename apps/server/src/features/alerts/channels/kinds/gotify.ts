import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { bodyOf, cut, json, withoutLinks } from './message-text.ts'

const titleMaxLength = 250
const messageMaxLength = 8000

/** https://gotify.net/docs/pushmsg, with https://gotify.net/docs/msgextras. */
export function gotifyCall(
  { server, token }: SettingsOf<'gotify'>,
  { message }: Delivery,
): Composed {
  return {
    call: {
      method: 'POST',
      url: `${server}/message`,
      headers: { ...json, 'x-gotify-key': token },
      body: JSON.stringify({
        title: cut(withoutLinks(message.title), titleMaxLength),
        message: cut(withoutLinks(bodyOf(message) || message.title), messageMaxLength),
        // Gotify makes a sound from 4 and pops up from 8.
        priority: message.kind === 'online' ? 4 : 8,
        extras: {
          'client::display': { contentType: 'text/plain' },
          'client::notification': { click: { url: message.url } },
        },
      }),
    },
    secrets: [token],
    endsAt: new Set(),
  }
}
