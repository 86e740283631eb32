import { expect, test } from 'vitest'
import { markup, trusted } from './markup.ts'

test('text is escaped between tags and in attributes; a nested template is not', () => {
  const name = `<b onclick='x()'>&"`
  const line = markup`<li title="${name}">${name}</li>`
  expect(String(markup`<ul>${[line, null, line]}</ul>${7}${null}`)).toBe(
    '<ul>' +
      '<li title="&lt;b onclick=&#39;x()&#39;&gt;&amp;&quot;">&lt;b onclick=&#39;x()&#39;&gt;&amp;&quot;</li>'.repeat(
        2,
      ) +
      '</ul>7',
  )
})

test('only markup that the server made stays unescaped', () => {
  expect(String(markup`<svg>${trusted('<path d="M0 0"/>')}${'<path/>'}</svg>`)).toBe(
    '<svg><path d="M0 0"/>&lt;path/&gt;</svg>',
  )
})
