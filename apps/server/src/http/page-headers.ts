import type { BuildSettings } from '@astropelago/contract/build-settings'

/** @param origin the address under which the browser sees the page */
export function pageHeaders(
  nonce: string,
  build: BuildSettings,
  origin: string,
): Record<string, string> {
  const directives = build.hasMapsKey ? mapsDirectives(nonce) : ownDirectives(nonce)
  const called = calledOrigins(build, origin)
  const policy = Object.entries(directives).map(([name, sources]) =>
    [name, ...sources, ...(name === 'connect-src' ? called : [])].join(' '),
  )
  return {
    'content-security-policy': policy.join('; '),
    // A key that is restricted to one website works only if requests name the site they come from.
    ...(build.hasMapsKey && { 'referrer-policy': 'strict-origin-when-cross-origin' }),
  }
}

/** What pages call besides their own server over HTTP. */
function calledOrigins(build: BuildSettings, origin: string): string[] {
  const origins = build.deviceUpdateOrigin === null ? [] : [build.deviceUpdateOrigin]
  // Older browsers take 'self' for HTTP only: https://github.com/w3c/webappsec-csp/issues/7.
  if (build.live === 'websocket') origins.push(origin.replace(/^http/, 'ws'))
  return origins
}

const shared = {
  'default-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}

function ownDirectives(nonce: string) {
  return {
    ...shared,
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'"],
  }
}

/**
 * The strict policy that the maps service documents, plus the web app's own files:
 * https://developers.google.com/maps/documentation/javascript/content-security-policy
 */
function mapsDirectives(nonce: string) {
  return {
    ...shared,
    // With 'strict-dynamic' a script that has the nonce may load others. https: is for older browsers.
    'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'", 'https:', "'unsafe-eval'", 'blob:'],
    'style-src': ["'self'", `'nonce-${nonce}'`, 'https://fonts.googleapis.com'],
    'font-src': ["'self'", 'https://fonts.gstatic.com'],
    'img-src': [
      "'self'",
      'https://*.googleapis.com',
      'https://*.gstatic.com',
      '*.google.com',
      '*.googleusercontent.com',
      'data:',
    ],
    'frame-src': ['*.google.com'],
    'connect-src': [
      "'self'",
      'https://*.googleapis.com',
      '*.google.com',
      'https://*.gstatic.com',
      'data:',
      'blob:',
    ],
    'worker-src': ["'self'", 'blob:'],
  }
}
