import type { IncomingHttpHeaders } from 'node:http'

/** Whether a browser asks for a page to show, rather than a script for data. */
export function isPageNavigation(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate'
  // Browsers list text/html first when they navigate; fetch and curl accept anything.
  return headers.accept?.trimStart().startsWith('text/html') === true
}
