import { createHmac, randomBytes } from 'node:crypto'
import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { json } from './message-text.ts'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** The format of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks */
export function makeWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/**
 * A signed event of Standard Webhooks.
 * @param nowMs receivers refuse signatures that are minutes old
 */
export function webhookCall(
  { url }: SettingsOf<'webhook'>,
  { message, idempotencyKey }: Delivery,
  { secret, nowMs }: { readonly secret: string; readonly nowMs: number },
): Composed {
  const { kind, title, lines, url: page, atMs, items } = message
  const body = JSON.stringify({
    type: `alert.${kind}`,
    timestamp: new Date(atMs).toISOString(),
    data: {
      title,
      lines,
      url: page,
      items: items.map(({ sinceMs, ...item }) =>
        Object.assign(item, { since: new Date(sinceMs).toISOString() }),
      ),
    },
  })
  const atS = String(Math.floor(nowMs / 1000))
  const signature = createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(`${idempotencyKey}.${atS}.${body}`)
    .digest('base64')
  return {
    call: {
      method: 'POST',
      url,
      headers: {
        ...json,
        'webhook-id': idempotencyKey,
        'webhook-timestamp': atS,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    },
    secrets: [secret, ...pathOf(url)],
    endsAt: new Set([410]),
  }
}

/** Everything after an address's host may be a secret, and so may each part of it. */
export function pathOf(url: string): string[] {
  const { pathname, search, searchParams } = new URL(url)
  const path = `${pathname}${search}`.slice(1)
  const parts = [...pathname.split('/'), ...searchParams.values()]
  return [path, ...parts]
    .filter((part) => part !== '')
    .toSorted((one, other) => other.length - one.length)
}
