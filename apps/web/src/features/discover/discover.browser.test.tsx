import { expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { openPart, openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'
import { DiscoverPage } from './discover-page.tsx'

const box = page.getByRole('searchbox')
const button = (name: string) => page.getByRole('button', { name })
const answer = page.getByText(/^Nothing was searched/)
const chart = page.getByRole('region', { name: 'Categories' })
const cards = chart.getByRole('listitem')
const categoriesHeading = page.getByRole('heading', { name: 'Categories' })
const tavernLine = page.getByText(/^The Travelers Tavern has a subdomain of its own/)

const openDiscover = (path = '/discover') => openScreen(path, { user: sampleUser })

test('the search says that it is not there yet; Enter asks nothing and stays', async () => {
  await openDiscover()
  await expect
    .element(box)
    .toHaveAttribute('placeholder', 'Search islands, satellites, and routes...')
  await expect.element(box).toHaveAccessibleName('Search the network')
  await expect.element(page.getByText(/^Search is coming\./)).toBeVisible()
  await box.fill('lighthouse')
  await userEvent.keyboard('{Enter}')
  await expect.element(answer).toBeVisible()
  await expect.element(box).toHaveValue('lighthouse')
  expect(window.location.pathname + window.location.search).toBe('/discover')
  await box.fill('lighthouses')
  await expect.element(answer).not.toBeInTheDocument()
})

test("'Discover' answers as Enter does, 'Categories' leads to the cards", async () => {
  await openDiscover()
  await button('Discover').click()
  await expect.element(answer).toBeVisible()
  await button('Categories').click()
  await expect.element(categoriesHeading).toHaveFocus()
  await expect.element(categoriesHeading).toBeInViewport()
})

test('six static cards, none of which lies on another one or leaves the chart', async () => {
  await openDiscover()
  const names = ['Mothership', 'Islands', 'Satellites', 'Charts', 'Signals', 'Library']
  expect(textsOf(cards.getByRole('heading').elements())).toEqual(names)
  for (const text of textsOf(cards.getByRole('paragraph').elements())) expect(text).toMatch(/\.$/)
  expect(cards.getByRole('paragraph').length).toBe(names.length)
  expect(chart.getByRole('link').length).toBe(0)

  for (const width of [320, 768, 1024, 1440]) {
    await page.viewport(width, 900)
    await expect.poll(() => window.innerWidth).toBe(width)
    const edges = chart.element().getBoundingClientRect()
    const boxes = cards.elements().map((card) => card.getBoundingClientRect())
    for (const [index, one] of boxes.entries()) {
      expect(one.left).toBeGreaterThanOrEqual(edges.left)
      expect(one.right).toBeLessThanOrEqual(edges.right)
      expect(one.bottom).toBeLessThanOrEqual(edges.bottom)
      const overlapping = boxes.slice(index + 1).filter((other) => {
        const isBeside = one.right <= other.left || other.right <= one.left
        const isBelow = one.bottom <= other.top || other.bottom <= one.top
        return !isBeside && !isBelow
      })
      expect(overlapping, `at ${width} px`).toEqual([])
    }
  }
})

test('why somebody who wanted to the tavern is here, and only then', async () => {
  await openDiscover('/discover?tavern=unreachable')
  await expect.element(tavernLine).toBeVisible()
  await cleanup()
  await openDiscover()
  await expect.element(cards.first()).toBeVisible()
  await expect.element(tavernLine).not.toBeInTheDocument()
})

test('axe finds nothing, and nothing overflows', async () => {
  await openScreen('/discover?tavern=unreachable', { user: sampleUser })
  await expect.element(tavernLine).toBeVisible()
  await expectAccessible()
  expect(document.title).toBe('Discover · Astropelago')
})

function textsOf(elements: readonly Element[]): string[] {
  return elements.map(({ textContent }) => textContent.trim())
}
