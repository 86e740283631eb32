import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import ArrowRight from 'virtual:icon/arrow-right'
import Globe from 'virtual:icon/globe'

test('an icon is drawn in the colour of the text, and screen readers skip it', () => {
  expect(renderToStaticMarkup(<ArrowRight />)).toBe(
    '<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M5 12h14m-7-7l7 7l-7 7"/></svg>',
  )
})

test('its class and the width of its lines can be set', () => {
  const svg = renderToStaticMarkup(<Globe className="size-4" strokeWidth={1.75} />)
  expect(svg).toMatch(/^<svg [^>]*stroke-width="1.75"[^>]* class="size-4"><circle /)
  expect(svg.match(/stroke-width/g)).toHaveLength(1)
})

test.each([{ 'aria-label': 'Next' }, { 'aria-labelledby': 'next' }, { role: 'img' }])(
  'an icon with %o is not hidden from screen readers',
  (props) => {
    expect(renderToStaticMarkup(<ArrowRight {...props} />)).not.toContain('aria-hidden')
  },
)
