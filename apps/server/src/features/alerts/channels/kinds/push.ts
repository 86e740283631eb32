import { hash } from 'node:crypto'
import webPush from 'web-push'
import type { PushKeys } from '../channels-store.ts'
import type { Composed, Delivery, SettingsOf } from './composed.ts'
import { bodyOf, cutBytes } from './message-text.ts'

/** How long a push service keeps a message for a browser that is offline. */
const ttlS = 24 * 3600
/** Push services accept 4096 bytes, encrypted and padded. These limits leave room for the address. */
const titleMaxBytes = 400
const bodyMaxBytes = 2000

export interface PushSender extends PushKeys {
  /** Contact for push services: an https or mailto address. */
  readonly contact: string
}

/** A message encrypted for one browser (RFC 8291) and signed by this server (VAPID, RFC 8292). */
export function pushCall(
  { endpoint, keys }: SettingsOf<'push'>,
  { message, idempotencyKey }: Delivery,
  { contact, publicKey, privateKey }: PushSender,
): Composed {
  const topic = hash('sha256', idempotencyKey, 'base64url').slice(0, 32)
  const plainBody = JSON.stringify({
    title: cutBytes(message.title, titleMaxBytes),
    body: cutBytes(bodyOf(message), bodyMaxBytes),
    tag: topic,
    url: message.url,
    at: new Date(message.atMs).toISOString(),
  })
  const details = webPush.generateRequestDetails({ endpoint, keys }, plainBody, {
    vapidDetails: { subject: contact, publicKey, privateKey },
    TTL: ttlS,
    urgency: 'high',
    // A second try replaces the first one if that still waits for the browser.
    topic,
  })
  const { 'Content-Length': _length, ...headers } = details.headers
  return {
    call: {
      method: 'POST',
      url: endpoint,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
      body: details.body,
    },
    plainBody,
    secrets: [new URL(endpoint).pathname.slice(1), details.headers['Authorization'] ?? ''],
    // The browser's subscription has ended or never existed.
    endsAt: new Set([404, 410]),
  }
}
