import { expect, test } from 'vitest'
import { htmlSnippet, markdownSnippet } from './embed-card.tsx'

const shown = {
  picture: 'https://islands.example/badges/d1/uptime.svg?window=7d',
  page: 'https://islands.example/devices/d1',
}

test('a badge links to its page', () => {
  const lighthouse = { ...shown, alt: 'Status of Lighthouse' }
  expect(htmlSnippet(lighthouse)).toBe(
    `<a href="${shown.page}"><img src="${shown.picture}" alt="Status of Lighthouse"></a>`,
  )
  expect(markdownSnippet(lighthouse)).toBe(
    `[![Status of Lighthouse](${shown.picture})](${shown.page})`,
  )
})

test('a name can’t inject markup into the page that it is pasted into', () => {
  expect(htmlSnippet({ ...shown, alt: '"><script>alert(1)</script> & co' })).toBe(
    `<a href="${shown.page}"><img src="${shown.picture}" alt="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; co"></a>`,
  )
  expect(markdownSnippet({ ...shown, alt: String.raw`\](https://evil.example) [![<b>` })).toBe(
    String.raw`[![\\\](https://evil.example) \[\!\[\<b\>` + `](${shown.picture})](${shown.page})`,
  )
})
