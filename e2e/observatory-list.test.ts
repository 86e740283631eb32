import type { PublicDevice } from '@astropelago/contract/devices'
import { clusteredDevices } from './harness/clustered-devices.ts'
import { globeParts } from './harness/globe-parts.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { expect, test } from './harness/test.ts'

/** In an ocean, close together, without links. */
const solitary: PublicDevice = {
  id: 'solitary-1',
  label: 'aa Solitary',
  lat: -45,
  lon: -134,
  status: 'online',
  link: null,
}
const second = { ...solitary, id: 'solitary-2', label: 'zy Solitary', lat: -44, lon: -133 }

test.use({ seed: { devices: [solitary, second, ...clusteredDevices(298)] } })

test(
  'the query is in the address; changing it neither navigates nor unmounts anything',
  { tag: '@long' },
  async ({ page, user: _user }) => {
    const { search, statusFilter, sortButton, rows, globe } = observatoryParts(page)
    await page.goto('/observatory')
    await expect(rows.first()).toBeVisible()
    await expect(globe.locator('canvas')).toBeVisible()
    await markDocument(page)
    // A new element would not have this mark.
    const drawn = page.locator('main h1, main canvas, main [role=grid], main input[type=search]')
    const drawnCount = await drawn.count()
    await drawn.evaluateAll((elements) => {
      for (const element of elements) element.setAttribute('data-kept', '')
    })
    const checks: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/me')) checks.push(request.url())
    })
    const entries = await page.evaluate(() => history.length)
    const scrolled = await page.evaluate(() => {
      window.scrollTo(0, 100)
      return window.scrollY
    })
    expect(scrolled).toBe(100)

    await search.pressSequentially('attic')
    await expect(page).toHaveURL('/observatory?q=attic')
    await statusFilter.selectOption('Online')
    await sortButton('Lat').click()
    await sortButton('Lat').click()
    await expect(page).toHaveURL('/observatory?q=attic&status=online&sort=lat&dir=desc')

    await expect(page.locator('[data-kept]')).toHaveCount(drawnCount)
    await expectSameDocument(page)
    expect(checks).toEqual([])
    expect(await page.evaluate(() => history.length)).toBe(entries)
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)
    await expect(search).toHaveValue('attic')

    await page.goto('/observatory?q=zy&status=online')
    await expect(rows).toHaveCount(1)
    await page.goBack()
    await expect(search).toHaveValue('attic')
    await expect(statusFilter).toHaveValue('online')
  },
)

test('a row turns the globe to its device, and a device selected on the globe is selected and scrolled into view in the list', async ({
  page,
  user: _user,
}) => {
  const { grid, row, list } = observatoryParts(page)
  const { canvas, panel } = globeParts(page)
  await page.goto('/observatory')
  await row(1).click({ position: { x: 20, y: 20 } })
  await expect.poll(async () => Number(await canvas.getAttribute('data-yaw'))).toBeCloseTo(-134, 0)
  const box = await canvas.boundingBox()
  await canvas.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 + 30 } })
  await panel.getByRole('button', { name: /zy Solitary/ }).click()
  const selected = grid.locator('tr[aria-selected=true]')
  await expect(selected).toContainText('zy Solitary')
  await list.scrollIntoViewIfNeeded()
  const scroller = await grid.locator('..').boundingBox()
  const shown = await selected.boundingBox()
  expect(shown?.y).toBeGreaterThan(scroller?.y ?? 0)
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(
    (scroller?.y ?? 0) + (scroller?.height ?? 0),
  )
})
