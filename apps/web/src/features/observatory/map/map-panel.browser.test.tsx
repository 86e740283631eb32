import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleNetwork } from '../nodes/testing/sample-network.ts'
import { MapPanel } from './map-panel.tsx'

const panel = page.getByRole('region', { name: 'Map' })

/** The panel in a page with this much space above it. */
async function openPanel(aboveVh: number) {
  const { store, selection } = sampleNetwork([])
  await openPart(
    <>
      <div style={{ height: `${aboveVh}vh` }} />
      <MapPanel {...{ store, selection }} />
    </>,
  )
  return selection
}

test('without a key a line names the setting, and the built-in map is used', async () => {
  await openPanel(0)
  await expect.element(panel).toMatchTextContent('VITE_GOOGLE_MAPS_API_KEY is not set. This is')
  // These tests have no WebGL, so the map shows its own error.
  await expect.element(panel.getByRole('alert')).toMatchTextContent('no WebGL')
})

test('a map below the screen scrolls into view when the globe hands a place over', async () => {
  const selection = await openPanel(200)
  await expect.element(panel).toMatchTextContent('This is the built-in map')
  expect(panel.element().getBoundingClientRect().height).toBeGreaterThan(520)
  selection.openMapAt({ latDeg: 10, lonDeg: 20, spanDeg: 40 })
  await expect.element(panel.getByRole('alert')).toBeInViewport()
})
