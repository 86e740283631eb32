import { createHash } from 'node:crypto'

/** The fonts are the system’s: nothing else is loaded where no request fits. */
const style = `
  :root { color-scheme: dark }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; box-sizing: border-box;
    background: #05070d radial-gradient(60rem 40rem at 50% -10rem, #101a33, transparent);
    color: #94a3b8; font: 16px/1.6 system-ui, sans-serif }
  main { max-width: 32rem }
  h1 { margin: 0 0 12px; color: #f1f5f9; font-size: clamp(1.5rem, 5vw, 2rem); line-height: 1.2; overflow-wrap: anywhere }
  p { margin: 0 0 16px }
  .site { font-size: 0.875rem; letter-spacing: 0.04em }
  .site::before { content: ''; display: inline-block; width: 8px; height: 8px; margin-right: 8px; border-radius: 50%;
    background: #a78bfa }
  a { color: #22d3ee }
`

/** Half of what Node takes as headers: below it the cookies are not what is too large. */
const largeCookies = 8192

/**
 * Removes cookies that were set for more than this host name, which no other host's script can read and each of them
 * can set: with enough of them no request fits any more. The server never sees their names, since they are too long to
 * be read; a page does. What this host name set for itself alone stays, such as being let in.
 */
const script = `
  const areLarge = () => document.cookie.length > ${largeCookies}
  const wereLarge = areLarge()
  const path = location.pathname
  const folders = [...path].flatMap((letter, at) =>
    letter === '/' ? [path.slice(0, at), path.slice(0, at + 1)] : [])
  const domains = location.hostname.split('.').map((_, at, labels) => labels.slice(at).join('.'))
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  for (const folder of ['/', path, ...folders.filter((folder) => folder !== '')]) {
    for (const cookie of areLarge() ? document.cookie.split('; ') : []) {
      const name = cookie.slice(0, Math.max(0, cookie.indexOf('=')))
      for (const domain of domains)
        document.cookie = name + '=x; Max-Age=0; Path=' + folder + '; Domain=' + domain + secure
    }
  }
  if (wereLarge) document.getElementById('what').textContent = areLarge()
    ? 'This site has stored too many cookies in your browser. Remove them in your browser’s settings, then try again.'
    : 'Another site had stored too many cookies in your browser, for this one too. They are gone now.'
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>This request is too long</title>
<style>${style}</style>
<main>
<p class="site">Astropelago</p>
<h1>This request is too long</h1>
<p id="what" role="status">Its address is too long, or this site has stored too many cookies in your browser.</p>
<p><a href="">Try again</a></p>
</main>
<script>${script}</script>
</html>
`

/** For whoever opens a page and sends more headers than the server takes: it mends by itself what can be mended. */
export const oversizedPage = {
  body,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  },
}
