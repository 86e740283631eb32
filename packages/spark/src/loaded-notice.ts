/** Tells the server and the window around this one that the page has loaded, and how long it took. */
export function sendLoadedNotice(): void {
  const notice = { url: window.location.href, load_ms: Math.round(performance.now()) }
  fetch('/_spark/loaded', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(notice),
    // Outlives a page that is left at once.
    keepalive: true,
  }).catch(() => {
    // The page works all the same when nobody counts it.
  })
  // To this site's own windows alone: the address may say more than another site should know.
  window.parent.postMessage({ type: 'sparkRuntimeLoaded', ...notice }, window.location.origin)
}
