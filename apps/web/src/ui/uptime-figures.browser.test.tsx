import { uptimeWindows } from '@astropelago/contract/history'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openPart } from '../test/open-screen.tsx'
import { windowHours } from './history-words.ts'
import { UptimeFigures } from './uptime-figures.tsx'

/** The windows after this many hours of observation with 100% uptime. */
const after = (hours: number) =>
  uptimeWindows.map((window) => ({
    window,
    uptime: 1,
    observed: Math.min(1, hours / windowHours[window]),
  }))

test.each([
  [0.01, '100% of the minute observed so far.'],
  [0.5, '100% of the 30 minutes observed so far.'],
  [1, '100% of the hour observed so far.'],
  [5, '100% of the 5 hours observed so far.'],
  [30, '24 hours100%100% observed7 days100%17.85% observed'],
])('after %d hours it shows no more than is known', async (hours, text) => {
  await openPart(<UptimeFigures windows={after(hours)} />)
  await expect.element(page.getByText('100%').first()).toBeVisible()
  expect(document.body.textContent).toContain(text)
})
