import { markup } from '../../../../http/markup.ts'
import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { bodyOf, cut, json, withoutLinks } from './message-text.ts'

const bodyMaxLength = 8000

/** https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid */
export function matrixCall(
  { server, token, room }: SettingsOf<'matrix'>,
  { message, idempotencyKey }: Delivery,
): Composed {
  const { url } = message
  const title = withoutLinks(message.title)
  const body = cut(withoutLinks(bodyOf(message)), bodyMaxLength)
  // A second try with the same transaction ID changes nothing.
  const transaction = encodeURIComponent(idempotencyKey)
  const lines = [
    markup`<strong>${title}</strong>`,
    ...body.split('\n').map((line) => markup`${line}`),
    markup`<a href="${url}">${url}</a>`,
  ]
  return {
    call: {
      method: 'PUT',
      url: `${server}/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${transaction}`,
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({
        msgtype: 'm.text',
        body: [title, body, url].filter((part) => part !== '').join('\n'),
        format: 'org.matrix.custom.html',
        formatted_body: lines.join('<br>'),
        // Present even though it is empty. Without it, names in the text would count as mentions.
        'm.mentions': {},
      }),
    },
    secrets: [token],
    endsAt: new Set(),
  }
}
