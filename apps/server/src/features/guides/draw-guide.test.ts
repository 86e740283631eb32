import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawGuide } from './draw-guide.ts'

/** The drawn text of a guide with this content. */
const htmlOf = (markdown: string) =>
  drawGuide(`# Guide\n\n${markdown}`)
    .blocks.map((block) => (block.kind === 'text' ? block.html : block.text))
    .join('\n')

test('the first heading is the title, the first paragraph below it is the summary, and code is separate', () => {
  expect(
    drawGuide(
      '<!-- a note -->\n# House *rules*\n\nBe [kind](rules.md)\nto others.\n\nDo this:\n\n```sh On your device\nls\n```\n\n```\nx\n```\n\nDone.',
    ),
  ).toEqual({
    title: 'House rules',
    summary: 'Be kind to others.',
    blocks: [
      {
        kind: 'text',
        html: '<p>Be <a href="/library/rules">kind</a>\nto others.</p>\n<p>Do this:</p>',
      },
      { kind: 'code', language: 'sh', label: 'On your device', text: 'ls' },
      { kind: 'code', language: '', label: 'Code', text: 'x' },
      { kind: 'text', html: '<p>Done.</p>' },
    ],
  })
  expect(drawGuide('## Short')).toEqual({ title: 'Short', summary: '', blocks: [] })
})

test.each(['', 'Only words.', '# \n\nNo title'])('%j is not a guide', (markdown) => {
  expect(() => drawGuide(markdown)).toThrow(/heading/)
})

test('a title or summary too long for a list is cut there, and complete in the text', () => {
  const { title, summary, blocks } = drawGuide(`# ${'T'.repeat(200)}\n\n${'word '.repeat(99)}word`)
  expect(Array.from(title)).toHaveLength(120)
  expect(Array.from(summary)).toHaveLength(300)
  expect(summary).toMatch(/…$/)
  expect(blocks).toMatchObject([{ html: `<p>${'word '.repeat(99)}word</p>` }])
})

test.each([
  ['# One\n\n## Two', ['h2', 'h3']],
  ['## One\n\n### Two', ['h2', 'h3']],
  ['### One\n\n###### Two', ['h2', 'h5']],
  ['# One\n\n###### Two', ['h2', 'h6']],
  ['> # One\n\n- ## Two', ['h2', 'h3']],
])(
  'headings of %j begin at the second level, since the title is the page’s first',
  (text, tags) => {
    expect(Array.from(htmlOf(text).matchAll(/<(h\d)/g), ([, tag]) => tag)).toEqual(tags)
  },
)

test.each([
  ['rules.md', '/library/rules'],
  ['./rules.md#be-kind', '/library/rules#be-kind'],
  ['#be-kind', '#be-kind'],
  ['/connect?a=1', '/connect?a=1'],
  ['nginx', '/library/nginx'],
  ['/.//evil.example', '/evil.example'],
])('a link to %s stays on this site', (href, to) => {
  expect(htmlOf(`[x](${href})`)).toBe(`<p><a href="${to}">x</a></p>`)
})

test.each([
  ['https://a.example/?a=1&b=2', 'https://a.example/?a=1&amp;b=2'],
  ['//a.example/x', 'https://a.example/x'],
  ['/\\a.example/x', 'https://a.example/x'],
  ['/api/docs', '/api/docs'],
])('a link to %s opens in a new tab without a referrer', (href, to) => {
  expect(htmlOf(`[x](${href})`)).toBe(
    `<p><a href="${to}" target="_blank" rel="noopener noreferrer">x<span class="sr-only"> (opens in a new tab)</span></a></p>`,
  )
})

test('an e-mail address is a mailto link', () => {
  expect(htmlOf('me@a.example')).toBe('<p><a href="mailto:me@a.example">me@a.example</a></p>')
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html;base64,PHNjcmlwdD4=',
  'DATA:text/html,x',
  'vbscript:x',
  'VbScript:x',
  'blob:https://a.example/x',
  'file:///etc/passwd',
])('GU1 a link to %s is text', (href) => {
  expect(htmlOf(`[x](<${href}>)`)).toBe('<p>x</p>')
})

test.each([
  ['<#" onclick="x()>', '#&quot; onclick=&quot;x()'],
  ['<rules.md#" onclick="x()>', '/library/rules#&quot; onclick=&quot;x()'],
  ['#&quot;onclick=x', '#&amp;quot;onclick=x'],
  ['&#106;avascript:alert(1)', '/library/&amp;#106;avascript:alert(1)'],
  ['&Tab;javascript&colon;alert(1)', '/library/&amp;Tab;javascript&amp;colon;alert(1)'],
  [`/a "' onclick='x()"`, '/a'],
])('GU1 the address %s stays within its attribute', (href, to) => {
  expect(htmlOf(`[x](${href})`)).toBe(`<p><a href="${to}">x</a></p>`)
})

test.each([
  ['[[x](javascript:a)](javascript:b)', '<p>[x](javascript:b)</p>'],
  ['[![x](data:,a)](vbscript:b)', '<p>x</p>'],
  ['[x][1]\n\n[1]: javascript:a', '<p>x</p>'],
  ['<javascript:alert(1)>', '<p>javascript:alert(1)</p>'],
])('GU1 %s leaves no link to follow', (markdown, html) => {
  expect(htmlOf(markdown)).toBe(html)
})

test('GU1 a picture is a link to it, and loads nothing', () => {
  expect(htmlOf('![A map](https://a.example/map.png)')).toMatch(
    /^<p><a href="https:\/\/a\.example\/map\.png" target="_blank" rel="noopener noreferrer">A map<span/,
  )
  expect(htmlOf('![A "map"](javascript:alert(1))')).toBe('<p>A &quot;map&quot;</p>')
  expect(htmlOf('![](data:image/png;base64,AAAA) ![A map](map.png)')).toBe('<p>Picture A map</p>')
})

test('GU1 HTML is shown as typed, and comments are not shown', () => {
  expect(htmlOf('a <b onclick="x()">bold</b> word<!-- note -->')).toBe(
    '<p>a &lt;b onclick=&quot;x()&quot;&gt;bold&lt;/b&gt; word</p>',
  )
  expect(htmlOf('<script>alert(1)</script>\n\n<!-- note -->')).toBe(
    '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  )
})

test.each(['script', 'pre', 'code', 'kbd'])(
  'GU1 text after <%s> in a line is escaped as all other text',
  (tag) => {
    expect(htmlOf(`a <${tag}> <img src=x onerror=alert(1)`)).toBe(
      `<p>a &lt;${tag}&gt; &lt;img src=x onerror=alert(1)</p>`,
    )
    expect(htmlOf(`> - a <${tag}> <img src=x onerror=alert(1)`)).not.toContain('<img')
  },
)

/** The only HTML that a guide is drawn as. */
const drawn =
  /^(?:[^<>]|<\/?(?:p|ul|ol|li|em|strong|del|code|pre|blockquote|table|thead|tbody|tr|br|hr|span)>|<(?:div role="group" aria-label="Table" tabindex="0"|\/div|ol start="\d+"|th align="(?:left|center|right)"|td align="(?:left|center|right)"|span class="sr-only")>|<\/?(?:th|td)>|<h[2-6] id="[^"<>]*">|<\/h[2-6]>|<a href="(?:[/#]|https?:|mailto:)[^"<>]*"(?: target="_blank" rel="noopener noreferrer")?>|<\/a>)*$/

const fragments = [
  '<script> <img src=x onerror=alert(1) ~<svg/onload=x>~<a href="javascript:x">~<!--~-->~<~>~" onx="',
  '\'~[~]~](~)~(~![~`~```~~~~~*~**~_~|~# ~## ~- ~1. ~> ~    ~---~- [ ] ~[x]: ~<#" onx="~\\',
  'javascript:~https://a.example/~<https://a.example>~data:text/html,~rules.md~&#106;~&lt;',
].flatMap((line) => line.split('~'))

test('GU1 no guide is drawn with other tags or attributes', () => {
  const piece = fc.oneof(
    fc.constantFrom(...fragments, '\n', '\n\n', '~~', '| a | b |\n|:-:|-|\n'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  )
  const others: string[] = []
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const texts = drawGuide(`# Guide\n\n${pieces.join('')}`).blocks.filter(
        (block) => block.kind === 'text',
      )
      others.push(...texts.map(({ html }) => html).filter((html) => !drawn.test(html)))
      return others.length === 0
    }),
    { numRuns: 500 },
  )
  expect(others).toEqual([])
})
