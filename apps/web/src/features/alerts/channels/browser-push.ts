import { t } from '@lingui/core/macro'

const workerUrl = '/push-worker.js'

/** Why the browser can't receive push messages, that it could, or the address at which it does. */
export type BrowserPush =
  | { readonly state: 'insecure' | 'home-screen' | 'unsupported' | 'denied' | 'ready' }
  | { readonly state: 'subscribed'; readonly endpoint: string }

/** This browser's push state for the server's public key. */
export async function readBrowserPush(serverKey: string): Promise<BrowserPush> {
  // Browsers hide service workers in insecure contexts, which would look like a browser without support.
  if (!window.isSecureContext) return { state: 'insecure' }
  const canPush = 'serviceWorker' in navigator && 'PushManager' in window
  if (!canPush || !('Notification' in window)) {
    return { state: isAppleHandheld() ? 'home-screen' : 'unsupported' }
  }
  if (Notification.permission === 'denied') return { state: 'denied' }
  const subscription = await ownSubscription()
  return subscription && isFor(subscription, serverKey)
    ? { state: 'subscribed', endpoint: subscription.endpoint }
    : { state: 'ready' }
}

/**
 * Asks for permission if the user hasn't decided yet, and subscribes.
 * @throws DOMException `NotAllowedError` if permission is denied, `AbortError` if the browser's push
 * service can't be reached
 */
export async function subscribeBrowser(serverKey: string) {
  const registration = await navigator.serviceWorker.register(workerUrl)
  await navigator.serviceWorker.ready
  const { pushManager } = registration
  const earlier = await pushManager.getSubscription()
  // A subscription for another server's key is unusable and prevents a new one.
  if (earlier && !isFor(earlier, serverKey)) await earlier.unsubscribe()
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: serverKey,
  })
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  return { endpoint: endpoint ?? subscription.endpoint, p256dh, auth }
}

/** Unsubscribes this browser. It receives nothing from then on, even if the server keeps sending. */
export async function leaveBrowserPush(): Promise<void> {
  const subscription = await ownSubscription()
  await subscription?.unsubscribe()
}

async function ownSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(workerUrl)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** The hash that identifies a subscription in the server's list: SHA-256 in base64url. */
export async function endpointHash(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return base64url(new Uint8Array(hash))
}

function isFor({ options }: PushSubscription, serverKey: string): boolean {
  const key = options.applicationServerKey
  return key !== null && base64url(new Uint8Array(key)) === serverKey.replace(/=+$/, '')
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCodePoint(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** iPhones and iPads push only to pages that were added to the home screen. */
function isAppleHandheld(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** A name for this browser in a list, such as 'Firefox on Linux'. */
export function browserName(userAgent = navigator.userAgent): string {
  const known = firstMatch(userAgent, [
    [/Edg(?:e|A|iOS)?\//, 'Edge'],
    [/OPR\//, 'Opera'],
    [/SamsungBrowser\//, 'Samsung Internet'],
    [/Firefox\/|FxiOS\//, 'Firefox'],
    [/Chrome\/|CriOS\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ])
  const system = firstMatch(userAgent, [
    [/iPhone|iPod/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Windows/, 'Windows'],
    [/CrOS/, 'ChromeOS'],
    [/Mac OS X/, 'macOS'],
    [/Linux/, 'Linux'],
  ])
  const browser = known ?? t`A browser`
  return system === undefined ? browser : t`${browser} on ${system}`
}

function firstMatch(text: string, names: readonly (readonly [RegExp, string])[]) {
  return names.find(([pattern]) => pattern.test(text))?.[1]
}
