/**
 * Shows messages that the server pushes, and opens a message's page when the user presses it. It does not
 * intercept requests or cache anything. The server's channel `push` writes the messages.
 */
const unreadable = { title: 'Astropelago', body: 'Something happened to your devices.' }

self.addEventListener('push', (event) => {
  // Browsers end a subscription whose pushes show nothing, so always show a notification.
  const { title, body, tag, url } = read(event.data)
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      icon: '/icon-192.png',
      // A later message with the same tag replaces the earlier one, and alerts again.
      ...(tag !== undefined && { tag, renotify: true }),
      data: { url: pageOf(url) },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data.url))
})

function read(data) {
  try {
    const { title, body, tag, url } = data.json()
    if (typeof title !== 'string' || title === '') return unreadable
    return { title, body: textOf(body), tag: textOf(tag), url: textOf(url) }
  } catch {
    return unreadable
  }
}

function textOf(value) {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The message's page, or Account's alerts if it has none or one on another site. */
function pageOf(url) {
  const alerts = new URL('/account?part=alerts', self.location.origin)
  if (url === undefined || !URL.canParse(url, self.location.origin)) return alerts.href
  const page = new URL(url, self.location.origin)
  return (page.origin === self.location.origin ? page : alerts).href
}

async function open(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((client) => client.url === url)
  await (there === undefined ? self.clients.openWindow(url) : there.focus())
}
