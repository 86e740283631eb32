import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { bodyOf, cut, json, withoutLinks, withoutMentions } from './message-text.ts'
import { pathOf } from './webhook.ts'

const textMaxLength = 3000

/**
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, which Mattermost and
 * Rocket.Chat accept too. Only `&`, `<` and `>` need escaping, because `<>` encloses commands. Mattermost
 * still makes links and pictures of Markdown.
 */
export function slackCall({ url }: SettingsOf<'slack'>, { message }: Delivery): Composed {
  const text = cut(`${message.title}\n${bodyOf(message)}`, textMaxLength)
  return {
    call: {
      method: 'POST',
      url,
      headers: json,
      body: JSON.stringify({
        text: `${asSlack(withoutLinks(withoutMentions(text)))}\n${asSlack(message.url)}`,
        mrkdwn: false,
        unfurl_links: false,
        unfurl_media: false,
      }),
    },
    secrets: pathOf(url),
    // There is no such webhook, or the channel is archived.
    endsAt: new Set([404, 410]),
  }
}

function asSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
