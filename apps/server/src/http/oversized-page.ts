import { createHash } from 'node:crypto'

/** With the system’s fonts: nothing else can be loaded where no request fits. */
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

/** Half of what Node takes as headers. Below it, something else than the cookies is too large. */
const largeCookies = 8192

/**
 * Removes cookies that were set for more than this host name. Scripts of other hosts can set such cookies, and
 * with enough of them no request fits any more. The server can't read a request that long; a page can read
 * its cookies. What this host name set for itself alone stays, such as a relay grant.
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

/** For a browser that opens a page and sends more headers than the server takes. Repairs what it can. */
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
