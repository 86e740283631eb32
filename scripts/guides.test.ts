import { expect, test } from 'vitest'
import { parseContents, parseGuide } from '../apps/web/parse-guide.ts'

const pathOf = (file: string) => (file === 'nginx.md' ? '/library/nginx' : undefined)
const options = { pathOf, newTab: 'opens in a new tab' }
const guide = (rest: string) => `# A [guide](nginx.md)\n\nWhat it is *about*.\n\n${rest}`

test('a guide has a title, a summary, and separate code blocks', () => {
  const { title, summary, blocks } = parseGuide(
    guide('Do this:\n\n```sh On the server\nls -l\n```\n\nDone.'),
    options,
  )
  expect({ title, summary }).toEqual({ title: 'A guide', summary: 'What it is about.' })
  expect(blocks).toEqual([
    { kind: 'text', html: '<p>Do this:</p>' },
    { kind: 'code', language: 'sh', label: 'On the server', text: 'ls -l' },
    { kind: 'text', html: '<p>Done.</p>' },
  ])
})

test('links between guides lead to their pages, and external links open a new tab', () => {
  const { blocks } = parseGuide(
    guide('[one](nginx.md#turn-it-on) [two](/connect) [three](https://a.example/?a=1&b=2)'),
    options,
  )
  expect(blocks).toEqual([
    {
      kind: 'text',
      html: '<p><a href="/library/nginx#turn-it-on">one</a> <a href="/connect">two</a> <a href="https://a.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">three<span class="sr-only"> (opens in a new tab)</span></a></p>',
    },
  ])
})

test.each([
  ['a link that leads nowhere', '[x](gone.md)', 'leads nowhere'],
  ['a link that runs a script', '[x](javascript:alert(1))', 'leads nowhere'],
  ['HTML', 'a <b>bold</b> word', 'HTML in a guide'],
  ['a picture', '![x](https://a.example/x.png)', 'A picture in a guide'],
  ['code in a list', '- one\n\n  ```sh On the server\n  ls\n  ```', 'Code within a list'],
  ['code without a label', '```sh\nls\n```', 'without a word'],
])('a guide with %s is refused', (_, rest, reason) => {
  expect(() => parseGuide(guide(rest), options)).toThrow(reason)
})

test('the contents have headings with guides below them', () => {
  const markdown =
    '# Guides\n\n[x](x.md)\n\n## First\n\n- [a](a.md)\n- [b](b.md)\n\n## Second\n\n- [c](c.md)\n'
  expect(parseContents(markdown)).toEqual([
    { title: 'First', files: ['a.md', 'b.md'] },
    { title: 'Second', files: ['c.md'] },
  ])
})
