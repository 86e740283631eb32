import { expectAccessible, watchLayoutShift } from './harness/page-health.ts'
import { expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { expect, test } from './harness/test.ts'

const categories = ['Mothership', 'Islands', 'Satellites', 'Charts', 'Signals', 'Library']

test.beforeEach(async ({ page, user }) => {
  await page.goto('/discover')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
})

test("a search box with placeholder 'Search islands, satellites, and routes...'", async ({
  page,
}) => {
  const box = page.getByRole('search').getByRole('searchbox')
  await expect(box).toHaveAttribute('placeholder', 'Search islands, satellites, and routes...')
  await expect(box).toHaveAccessibleName('Search the network')
})

test('(not wired to anything): the page says so, and Enter neither leaves it nor asks the server', async ({
  page,
}) => {
  const search = page.getByRole('search')
  await expect(search).toContainText('Search is coming.')
  const calls: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls.push(request.url())
  })
  await markDocument(page)
  await search.getByRole('searchbox').fill('lighthouse')
  await page.keyboard.press('Enter')
  await expect(search.getByRole('status')).toContainText('Nothing was searched')
  await expect(search.getByRole('searchbox')).toHaveValue('lighthouse')
  await expect(page).toHaveURL('/discover')
  await expectSameDocument(page)
  expect(calls).toEqual([])
})

test("buttons 'Discover' and 'Categories': one answers as Enter does, one leads to the six cards", async ({
  page,
}) => {
  const search = page.getByRole('search')
  await search.getByRole('button', { name: 'Discover' }).click()
  await expect(search.getByRole('status')).toContainText('Nothing was searched')
  await search.getByRole('button', { name: 'Categories' }).click()
  await expect(page.getByRole('heading', { name: 'Categories' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Categories' })).toBeInViewport()
})

test('six static cards: Mothership, Islands, Satellites, Charts, Signals, Library', async ({
  page,
}) => {
  const chart = page.getByRole('region', { name: 'Categories' })
  await expect(chart.getByRole('listitem').getByRole('heading')).toHaveText(categories)
  for (const name of categories) {
    const card = chart.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
    await expect(card.getByRole('paragraph')).toHaveText(/\.$/)
  }
  await expect(chart.getByRole('link')).toHaveCount(0)
})

for (const width of [320, 768, 1024, 1440]) {
  test(`no card lies on another one or leaves the chart at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    const chart = page.getByRole('region', { name: 'Categories' })
    const edges = await chart.boundingBox()
    const boxes = await Promise.all(
      (await chart.getByRole('listitem').all()).map((card) => card.boundingBox()),
    )
    for (const [index, box] of boxes.entries()) {
      if (box === null || edges === null) throw new Error('A card is not drawn')
      expect(box.x).toBeGreaterThanOrEqual(edges.x)
      expect(box.x + box.width).toBeLessThanOrEqual(edges.x + edges.width)
      expect(box.y + box.height).toBeLessThanOrEqual(edges.y + edges.height)
      const overlapping = boxes.slice(index + 1).filter((other) => {
        if (other === null) return true
        const isBeside = box.x + box.width <= other.x || other.x + other.width <= box.x
        const isBelow = box.y + box.height <= other.y || other.y + other.height <= box.y
        return !isBeside && !isBelow
      })
      expect(overlapping).toEqual([])
    }
  })
}

test('axe finds nothing, nothing overflows or jumps', async ({ page }) => {
  const layoutShift = await watchLayoutShift(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Library' })).toBeVisible()
  expect(await layoutShift()).toBeLessThan(0.01)
  await expectAccessible(page)
})
