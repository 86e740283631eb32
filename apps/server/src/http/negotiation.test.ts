import { expect, test } from 'vitest'
import { isPageNavigation } from './negotiation.ts'

const html = 'text/html,application/xhtml+xml,*/*;q=0.8'

test.each([
  ['a link or a typed address', { 'sec-fetch-mode': 'navigate', accept: html }, true],
  ['fetch', { 'sec-fetch-mode': 'cors', accept: '*/*' }, false],
  ['fetch that says it takes HTML', { 'sec-fetch-mode': 'same-origin', accept: html }, false],
  ['a browser without Sec-Fetch headers', { accept: html }, true],
  ['curl', { accept: '*/*' }, false],
  ['a script that takes JSON first', { accept: 'application/json, text/html' }, false],
  ['nothing said', {}, false],
])('%s', (_, headers, isNavigation) => {
  expect(isPageNavigation(headers)).toBe(isNavigation)
})
