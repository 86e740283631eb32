import { unsubscribeChannel, unsubscribePath } from '@astropelago/contract/alert-channels'
import { formatCode } from '@astropelago/contract/one-time-code'
import { markup, trusted, type Markup } from '../../../../http/markup.ts'
import type { Mail } from '../../../../mail/mailer.ts'
import type { Delivery } from './composed.ts'
import { withoutLinks } from './message-text.ts'

interface AlertMailParts {
  readonly address: string
  /** Lets the reader end alerts to this address. */
  readonly unsubscribeCode: string
  readonly publicUrl: string
}

/** Text and plain HTML that say the same. Mail programs show a button to unsubscribe (RFC 8058). */
export function alertMail(
  { address, unsubscribeCode, publicUrl }: AlertMailParts,
  { message, idempotencyKey }: Delivery,
): Mail {
  const { url } = message
  // Mail programs turn anything that looks like an address into a link.
  const title = withoutLinks(message.title)
  const lines = message.lines.map(withoutLinks)
  const wayOut = publicUrl + unsubscribePath(formatCode(unsubscribeCode))
  const why = `You get this mail because somebody confirmed this address for alerts at ${publicUrl}.`
  const host = new URL(publicUrl).hostname
  return {
    kind: 'alert',
    to: address,
    subject: message.title,
    text: `${[title, lines.join('\n'), url, `${why} To end it: ${wayOut}`].filter((part) => part !== '').join('\n\n')}\n`,
    html: String(markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<p><strong>${title}</strong></p>
<p>${lines.flatMap((line, at) => [at === 0 ? null : trusted('<br>\n'), markup`${line}`])}</p>
<p>${link(url, url)}</p>
<p><small>${why} ${link(wayOut, 'End it')}.</small></p>
</html>
`),
    headers: {
      'List-Unsubscribe': `<${publicUrl}${unsubscribeChannel.path}?code=${unsubscribeCode}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    // A mailbox shows only one of two mails with the same ID.
    messageId: `<${encodeURIComponent(idempotencyKey)}@${host}>`,
  }
}

function link(to: string, text: string): Markup {
  return markup`<a href="${to}">${text}</a>`
}
