import type { BlockedAddress } from '@astropelago/contract/hosted-pages'
import { describe, expect, test } from 'vitest'
import { inspectPages } from './inspect-pages.ts'

const options = {
  siteName: 'Astropelago',
  siteHosts: ['islands.example.org'],
  ownHosts: ['blog.isles.example:8443'],
  allowsHttps: false,
}

function inspect(
  path: string,
  content: string | Uint8Array,
  changed: Partial<typeof options> = {},
) {
  return inspectPages([{ path, bytes: Buffer.from(content) }], { ...options, ...changed })
}

/** As `line what address`. */
function blockedIn(path: string, content: string, changed?: Partial<typeof options>): string[] {
  return inspect(path, content, changed).blocked.map(
    ({ line, what, address }: BlockedAddress) => `${line} ${what} ${address}`,
  )
}

describe('HTML', () => {
  test.each([
    ['<script src="https://a.example/x.js"></script>', '1 script https://a.example/x.js'],
    ['<script type=module src=//a.example/x.js></script>', '1 script //a.example/x.js'],
    ['<link rel="stylesheet" href="https://a.example/x.css">', '1 style https://a.example/x.css'],
    ["<LINK HREF='http://a.example/x' REL='alternate StyleSheet'>", '1 style http://a.example/x'],
    ['<link rel=icon href=https://a.example/i>', '1 picture https://a.example/i'],
    ['<link rel=preload as=font href=https://a.example/f>', '1 font https://a.example/f'],
    ['<link rel=preload as=script href=https://a.example/f>', '1 script https://a.example/f'],
    ['<link rel=modulepreload href=https://a.example/f>', '1 script https://a.example/f'],
    ['<link rel=manifest href=https://a.example/m>', '1 request https://a.example/m'],
    ['<img alt="a > b" src="https://a.example/1.png"/>', '1 picture https://a.example/1.png'],
    ['<img src="\\\\a.example/1">', '1 picture \\\\a.example/1'],
    ['<img src="&#104;ttps://a.example/?a&amp;b">', '1 picture https://a.example/?a&b'],
    ['<img srcset="a.png 1x,\n https://a.example/b 2x">', '1 picture https://a.example/b'],
    ['<picture><source srcset=https://a.example/b>', '1 picture https://a.example/b'],
    ['<svg><image xlink:href="https://a.example/b"/></svg>', '1 picture https://a.example/b'],
    ['<video poster=https://a.example/p></video>', '1 picture https://a.example/p'],
    ['<video src=https://a.example/v></video>', '1 media https://a.example/v'],
    ['<audio><source src=https://a.example/v></audio>', '1 media https://a.example/v'],
    ['<iframe src="https://a.example/f"></iframe>', '1 frame https://a.example/f'],
    ['<object data="https://a.example/f"></object>', '1 frame https://a.example/f'],
    ['<form action="https://a.example/f">', '1 form https://a.example/f'],
    ['<button formaction="https://a.example/f">', '1 form https://a.example/f'],
    ['<p style="background: url(https://a.example/b)">', '1 picture https://a.example/b'],
    ['<p onclick="fetch(\'https://a.example/b\')">', '1 request https://a.example/b'],
    ['\n\n<style>\n@import "https://a.example/b"</style>', '4 style https://a.example/b'],
    ['<script>\n\nfetch("https://a.example/b")</script>', '3 request https://a.example/b'],
    ['<!-- a --><p>1 < 2</p>\r\n<!--><img src=//b.example>-->', '2 picture //b.example'],
  ])('%s is blocked', (html, blocked) => {
    expect(blockedIn('a/index.html', html)).toEqual([blocked])
  })

  test.each([
    '<a href="https://a.example">',
    '<link rel=canonical href=https://a.example><link href=https://a.example>',
    '<link rel=preload as=fetch2 href=https://a.example>',
    '<img src="/a.png"><img src="a//b.png"><img src="data:image/png;base64,AA"><img src>',
    '<img src="https://blog.isles.example:8443/a.png">',
    '<!-- <img src="https://a.example/b"> -->',
    '<!-- <img src="https://a.example/b">',
    '<p constructor="https://a.example"><constructor name="https://a.example">',
    '<title><img src="https://a.example/b"></title><textarea><img src=//a.example></textarea>',
    '<script type="application/json">{"a": "fetch(\'https://a.example\')"}</script>',
    '<script>const html = "<img src=https://a.example>"</script>',
    '<p>fetch("https://a.example")</p><img src="https://a.example',
  ])('%s is not', (html) => {
    expect(blockedIn('index.html', html)).toEqual([])
  })

  test('places are named by file and line', () => {
    const files = ['a.html', 'b/c.svg'].map((path) => ({
      path,
      bytes: Buffer.from('<p>\n<img src=//a.example>\n<image href="//b.example"/>'),
    }))
    expect(inspectPages(files, options).blocked).toEqual(
      ['a.html', 'b/c.svg'].flatMap((path) => [
        { path, line: 2, address: '//a.example', what: 'picture' },
        { path, line: 3, address: '//b.example', what: 'picture' },
      ]),
    )
  })
})

describe('CSS', () => {
  test.each([
    ['@import "https://a.example/x.css";', '1 style https://a.example/x.css'],
    ['@import url(https://a.example/x.css) screen;', '1 style https://a.example/x.css'],
    ['p { background: URL( "https://a.example/x" ) }', '1 picture https://a.example/x'],
    ["/* a\n */ p { background: url('//a.example/x') }", '2 picture //a.example/x'],
    ['@font-face { src: url(https://a.example/x) }', '1 font https://a.example/x'],
    ['@font-face { src: url(a) } p { cursor: url(//a.example/x) }', '1 picture //a.example/x'],
  ])('%s is blocked', (css, blocked) => {
    expect(blockedIn('a.css', css)).toEqual([blocked])
  })

  test.each([
    '@import "a.css"; p { background: url(a.png) url(data:image/png,) }',
    '/* url(https://a.example) */ /* @import "https://a.example"',
  ])('%s is not', (css) => {
    expect(blockedIn('a.css', css)).toEqual([])
  })
})

describe('scripts', () => {
  test.each([
    ["fetch('https://a.example/x')", '1 request https://a.example/x'],
    ['await fetch(\n`https://a.example/${id}`)', '1 request https://a.example/${id}'],
    ['new WebSocket("wss://a.example/x")', '1 request wss://a.example/x'],
    ['new EventSource("//a.example/x")', '1 request //a.example/x'],
    ['navigator.sendBeacon("https://a.example/x")', '1 request https://a.example/x'],
    ["\nimport 'https://a.example/x'", '2 script https://a.example/x'],
    ['import{a}from"https://a.example/x"', '1 script https://a.example/x'],
    ["export * from 'https://a.example/x'", '1 script https://a.example/x'],
    ["await import('https://a.example/x')", '1 script https://a.example/x'],
    ["importScripts('https://a.example/x')", '1 script https://a.example/x'],
    ["const all = '/*'\nfetch('https://a.example/*')", '2 request https://a.example/*'],
  ])('%s is blocked', (script, blocked) => {
    expect(blockedIn('a.js', script)).toEqual([blocked])
    expect(blockedIn('a.mjs', script)).toEqual([blocked])
  })

  test.each([
    "fetch('/api'); import './a.js'; prefetch('https://a.example'); open('https://a.example')",
    "  // import 'https://a.example'",
    "/*\nimport 'https://a.example' */\n/* fetch('https://a.example')",
    "new WebSocket('wss://blog.isles.example:8443/room')",
  ])('%s is not', (script) => {
    expect(blockedIn('a.js', script)).toEqual([])
  })
})

function pageOver(scheme: string): string {
  return `
    <script src="${scheme}://a.example"></script><link rel=stylesheet href="${scheme}://a.example">
    <form action="${scheme}://a.example"></form><img src="${scheme}://a.example">
    <video src="${scheme}://a.example"></video><iframe src="${scheme}://a.example"></iframe>
    <style>@font-face { src: url(${scheme}://a.example) }</style>
    <script>fetch("${scheme}://a.example")</script>`
}

function whatsOver(scheme: string) {
  const { blocked } = inspect('a.html', pageOver(scheme), { allowsHttps: true })
  return blocked.map(({ what }) => what)
}

test('hosts that an operator trusts may load over https, except for scripts, styles and forms', () => {
  expect(whatsOver('https')).toEqual(['script', 'style', 'form'])
  expect(whatsOver('http')).toHaveLength(8)
  expect(blockedIn('a.js', 'new WebSocket("wss://a.example")', { allowsHttps: true })).toEqual([
    '1 request wss://a.example',
  ])
})

test('at most 10 places of a file are listed, and addresses are shown short', () => {
  const { blocked } = inspect('a.html', '<img src=https://a.example>'.repeat(60))
  expect(blocked).toHaveLength(10)
  const [long] = inspect('a.html', `<img src="https://a.example/\u202e${'x'.repeat(500)}">`).blocked
  expect(long?.address).toMatch(/^https:\/\/a\.example\/x+…x+$/)
  expect(long?.address).toHaveLength(61)
})

test('other kinds of files are not read', () => {
  expect(blockedIn('a.txt', '<img src=https://a.example>')).toEqual([])
  expect(blockedIn('html', '<img src=https://a.example>')).toEqual([])
})

describe('a field for a password is suspicious', () => {
  test.each([
    '<input type=password>',
    '<INPUT class="a" TYPE = "PassWord" >',
    "<input\ntype='password'/>",
    '<input type="p&#97;ss&#x77;ord">',
    '<input type=password type=text>',
    '<!--><input type=password>-->',
    '<xmp><!--</xmp><input type=password>',
    '<script>field.type = "password"</script>',
    "<script>field.setAttribute('type', 'password')</script>",
    '<script>form.innerHTML = "<input type=\\"password\\">"</script>',
    '<p onclick="field.type=\'password\'">',
    '<template><input type=password></template>',
    '<script type="text/template"><input type="password"></script>',
    '<iframe srcdoc="<input type=password>"></iframe>',
    '<svg><style><div><input type=password></div></style></svg>',
  ])('in %s', (html) => {
    expect(inspect('index.html', html).suspicion).toBe('password')
  })

  test.each(['a.shtml', 'a.XHT', 'a.xhtml', 'a.svg', 'a.xml', 'a.rss'])('in %s', (path) => {
    expect(inspect(path, '<input type=password>').suspicion).toBe('password')
  })

  test('in a script, and in a page of UTF-16', () => {
    expect(inspect('a.js', 'h("input",{type:"password"})').suspicion).toBe('password')
    const html = '<input type=password>'
    const little = Buffer.from(`\ufeff${html}`, 'utf16le')
    expect(inspect('a.html', little).suspicion).toBe('password')
    expect(inspect('a.html', Buffer.from(little).swap16()).suspicion).toBe('password')
  })

  test.each([
    '<input type=text name=password><p type=password>type=password</p>',
    '<input type="text" type="password">',
    '<!-- <input type=password> -->',
    '<script>if (type === "password") go(); const types = { password: 1 }</script>',
    '<script>const subtype = "passwords"; type = "passwords"</script>',
    '<h1>Choose a good password</h1>',
  ])('not in %s', (html) => {
    expect(inspect('index.html', html).suspicion).toBeNull()
  })
})

function suspicionOf(siteName: string, title: string) {
  return inspect('a.html', `<title>${title}</title>`, { siteName, siteHosts: [] }).suspicion
}

describe('a page that is named like the installation is suspicious', () => {
  test.each([
    '<title>Astropelago</title>',
    '<title>Sign in to ASTROPELAGO!</title>',
    '<h1>Astro<b>pelago</b></h1>',
    '<h2 class=a>A s t r o p e l a g o</h2>',
    '<h3>Astro&#112;elago',
    '<title>Astr0pe1ago</title>',
    '<title>Аѕtrореlаgо</title>',
    '<title>Ａｓｔｒｏｐｅｌａｇｏ</title>',
    '<title>𝐀𝐬𝐭𝐫𝐨𝐩𝐞𝐥𝐚𝐠𝐨</title>',
    '<title>Astro\u200bpel\u0301ago</title>',
    '<title>ᴀsᴛʀᴏᴘᴇʟᴀɢᴏ</title>',
    '<h1>islands.example.org</h1>',
    '<h6>1slands example org</h6>',
    '<h6>іslands example org</h6>',
    '<svg><title>Astropelago</title></svg>',
  ])('%s', (html) => {
    expect(inspect('index.html', html).suspicion).toBe('name')
  })

  test.each([
    '<title>Astro</title><h1>pelago</h1>',
    '<h1>Astro</h1><p>pelago</p>',
    '<h1>Hello</h1><p>Astropelago</p>',
    `<h1>${'a'.repeat(65_536)}</h1><title>Astropelago</title>`,
    '<p>Astropelago</p>',
    '<!-- <title>Astropelago</title> -->',
    '<title>Islands of Example</title>',
  ])('not %s', (html) => {
    expect(inspect('index.html', html).suspicion).toBeNull()
  })

  test('a short name counts as a word of its own, and one without letters never', () => {
    expect(suspicionOf('Sky', 'Whisky')).toBeNull()
    expect(suspicionOf('Sky', 'The 5ky, again')).toBe('name')
    expect(suspicionOf('My Sea', 'my sea')).toBe('name')
    expect(suspicionOf('空', '空の島')).toBeNull()
    expect(suspicionOf('空', '空')).toBe('name')
    expect(suspicionOf('★', 'Anything ★')).toBeNull()
    expect(suspicionOf('★', '★')).toBeNull()
    expect(suspicionOf('', '…')).toBeNull()
  })

  test('a password counts more', () => {
    const html = '<title>Astropelago</title><input type=password>'
    expect(inspect('index.html', html).suspicion).toBe('password')
  })
})

describe('S67 hostile files take time in proportion to their size', () => {
  test.each([
    ['a.html', '<'],
    ['a.html', '<a '],
    ['a.html', '<!--'],
    ['a.html', '<!-- <'],
    ['a.html', '<a b="'],
    ['a.html', `<a b='c="`],
    ['a.html', '<a b= '],
    ['a.html', '<a/ / / '],
    ['a.html', '<a b=c d'],
    ['a.html', ' '],
    ['a.html', '<p style=x>'],
    ['a.html', '<p onx=x>'],
    ['a.html', '<script>'],
    ['a.html', '<script></script'],
    ['a.html', '<title>'],
    ['a.html', '<h1>a'],
    ['a.html', '<h1>а'],
    ['a.html', '<h1>\ufdfa'],
    ['a.html', '<h1>a\u0300\u0323'],
    ['a.html', '<h1>&#97;'],
    ['a.html', '<img src=a>'],
    ['a.html', '<img srcset=" ,'],
    ['a.html', '<img src=https://blog.isles.example:8443/a>'],
    ['a.html', '\n<img src=//a.b>'],
    ['a.css', '/*'],
    ['a.css', '@import '],
    ['a.css', '@import  "'],
    ['a.css', 'url( '],
    ['a.css', 'url("'],
    ['a.css', '}'],
    ['a.js', 'fetch '],
    ['a.js', 'fetch('],
    ['a.js', 'fetch ("//'],
    ['a.js', 'import   ( '],
    ['a.js', '\n/*'],
    ['a.js', ' // '],
    ['a.js', 'type ='],
    ['a.js', 'type= '],
    ['a.js', ' \n'],
  ])('%s with %j again and again', (path, piece) => {
    for (const first of ['', piece]) {
      const rest = first === '' ? piece : (piece.at(-1) ?? '')
      const bytes = Buffer.from(first + rest.repeat(10_000_000 / rest.length))
      const startMs = performance.now()
      inspectPages([{ path, bytes }], options)
      expect(performance.now() - startMs).toBeLessThan(3000)
    }
  })

  test('a heading with a pile of marks', () => {
    const bytes = Buffer.from(`<h1>${'\u0323\u0300'.repeat(100_000)}`)
    const startMs = performance.now()
    inspectPages([{ path: 'a.html', bytes }], options)
    expect(performance.now() - startMs).toBeLessThan(500)
  })
})
