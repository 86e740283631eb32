import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openPart } from '../test/open-screen.tsx'
import { NearPanel } from './on-demand-panel.tsx'

/** Opens a page with a panel this far below its top. @returns the requests for the panel's code */
async function openAt(aboveVh: number) {
  const asked: string[] = []
  const fetchPanel = async () => {
    asked.push('panel')
    return () => <p>The panel</p>
  }
  await openPart(
    <>
      <div style={{ height: `${aboveVh}vh` }} />
      <NearPanel what="It" fetchPanel={fetchPanel} panelProps={{}} skeleton={<p>Its place</p>} />
    </>,
  )
  return asked
}

/** Resolves after earlier observers have been notified. */
const observed = () =>
  new Promise((resolve) => {
    new IntersectionObserver(resolve).observe(document.body)
  })

test('a visible panel loads at once', async () => {
  await openAt(0)
  await expect.element(page.getByText('The panel')).toBeVisible()
})

test('a panel far below loads only when the visitor comes near', async () => {
  const asked = await openAt(300)
  await observed()
  expect(asked).toEqual([])
  page.getByText('Its place').element().scrollIntoView()
  await expect.element(page.getByText('The panel')).toBeInViewport()
})
