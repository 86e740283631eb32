import { expect, test } from 'vitest'
import { drawBadge, uptimeText } from './badge-routes.ts'

function widthOf(label: string): number {
  return Number(/ width="(\d+)"/.exec(drawBadge({ label, text: 'online', colour: '#000' }))?.[1])
}

test('EM2 a user’s text is escaped everywhere', () => {
  const svg = drawBadge({ label: `</title><script>"'&`, text: 'online', colour: '#000' })
  expect(svg).not.toContain('<script')
  expect(svg).toContain('aria-label="&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp;: online"')
})

test('a badge has an accessible name, and its width follows its text', () => {
  expect(drawBadge({ label: 'Pi', text: 'online', colour: '#000' })).toContain(
    'role="img" aria-label="Pi: online"><title>Pi: online</title>',
  )
  expect(widthOf('iii')).toBeLessThan(widthOf('WWW'))
  expect(widthOf('WWW')).toBeLessThan(widthOf('海海海海'))
  expect(widthOf('e\u0301')).toBe(widthOf('e'))
})

test('an uptime is in per cent and never rounded up', () => {
  expect([1, 0.999999, 0.995, 0, null].map((uptime) => uptimeText(uptime, '7d'))).toEqual([
    '100% in 7d',
    '99.99% in 7d',
    '99.50% in 7d',
    '0% in 7d',
    'no data in 7d',
  ])
})
