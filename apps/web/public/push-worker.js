/**
 * Shows a message that the server pushed, and opens its page when it is pressed. It does nothing else:
 * it hears no requests and keeps nothing. What it reads is written by the channel `push` of the server.
 */
const unreadable = { title: 'Astropelago', body: 'Something happened to your devices.' }

self.addEventListener('push', (event) => {
  // A browser ends a subscription that pushes and shows nothing, so there is always something.
  const { title, body, tag, url } = read(event.data)
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      icon: '/icon-192.png',
      // A later message with the same tag takes the place of the earlier one, and is heard again.
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

/** A page of this site; Account's alerts where the message names none, or one elsewhere. */
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
