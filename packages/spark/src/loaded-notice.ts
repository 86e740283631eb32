/** Notifies the server and the parent window that the page has loaded, with its load time. */
export function sendLoadedNotice(): void {
  const notice = { url: window.location.href, load_ms: Math.round(performance.now()) }
  fetch('/_spark/loaded', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(notice),
    // Completes even if the user leaves the page at once.
    keepalive: true,
  }).catch(() => {
    // The page works even if the notice fails.
  })
  // Only to windows of this origin, because the address may contain private data.
  window.parent.postMessage({ type: 'sparkRuntimeLoaded', ...notice }, window.location.origin)
}
