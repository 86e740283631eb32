import type { PublicDevice } from '@astropelago/contract/devices'
import { clusteredDevices } from './harness/clustered-devices.ts'
import { globeParts } from './harness/globe-parts.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expectAccessible } from './harness/page-health.ts'
import { expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { expect, test } from './harness/test.ts'

const zurich: PublicDevice = {
  id: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  label: 'Zürich Lighthouse',
  lat: 47.376_888,
  lon: 8.541_694,
  status: 'online',
  link: 'https://light.example/',
}
const south: PublicDevice = {
  id: 'ffffffff-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  label: 'zz Last of all',
  lat: -89.5,
  lon: -0.0001,
  status: 'unknown',
  link: null,
}
/** In an ocean, near each other, with no link to follow. */
const solitary = { ...south, id: 'solitary-1', label: 'aa Solitary', lat: -45, lon: -134 }
const second = { ...solitary, id: 'solitary-2', label: 'zy Solitary', lat: -44, lon: -133 }
const devices = [zurich, south, solitary, second, ...clusteredDevices(298)]

test.use({ seed: { devices } })

const byLabel = new Intl.Collator('en', { numeric: true }).compare
const labels = devices.map(({ label }) => label).toSorted(byLabel)

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test("columns as on the tables of Account: the id's first 12 characters, label, lat and lon with 3 decimals, status, link", async ({
  page,
}) => {
  const { grid, search, rows } = observatoryParts(page)
  await page.goto('/observatory')
  await expect(grid.getByRole('columnheader')).toHaveText([
    'ID',
    'Label',
    'Lat',
    'Lon',
    'Status',
    'Link',
  ])
  await search.fill('zürich')
  const row = rows.filter({ hasText: 'Zürich' })
  await expect(row.getByRole('gridcell')).toHaveText([
    '0a1b2c3d-4e5',
    'Zürich Lighthouse',
    '47.377',
    '8.542',
    'online',
    /^light\.example/,
  ])
  const link = row.getByRole('link')
  await expect(link).toHaveAttribute('href', 'https://light.example/')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await search.fill('last of all')
  await expect(rows.getByRole('gridcell')).toHaveText([
    'ffffffff-4e5',
    'zz Last of all',
    '-89.500',
    '0.000',
    'unknown',
    /No link$/,
  ])
})

test('search finds labels without regard to case and accents, and ids, and counts what it found', async ({
  page,
}) => {
  const { search, rows, listCount, list } = observatoryParts(page)
  await page.goto('/observatory')
  await expect(listCount).toHaveText('302 devices')
  for (const text of ['zurich', '  ZÜRICH', '0a1b2c3d-4e5f', '0A1B']) {
    await search.fill(text)
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('Zürich Lighthouse')
    await expect(listCount).toHaveText('1 of 302 devices')
  }
  await search.fill('nothing is called so')
  await expect(list).toContainText('No device fits')
  await expect(listCount).toHaveText('0 of 302 devices')
  await expectAccessible(page)
  await list.getByRole('button', { name: 'Show all devices' }).click()
  await expect(search).toHaveValue('')
  await expect(listCount).toHaveText('302 devices')
})

test('filter and sort say what they do, and do it', async ({ page }) => {
  const { statusFilter, sortButton, row, grid, listCount } = observatoryParts(page)
  const header = (name: string) => grid.getByRole('columnheader', { name })
  const cell = (place: number, index: number) => row(place).getByRole('gridcell').nth(index)
  await page.goto('/observatory')
  await expect(header('Label')).toHaveAttribute('aria-sort', 'ascending')
  await expect(cell(1, 1)).toHaveText(labels[0] ?? '')
  await sortButton('Label').click()
  await expect(header('Label')).toHaveAttribute('aria-sort', 'descending')
  await expect(cell(1, 1)).toHaveText('zz Last of all')
  await sortButton('Lat').click()
  await expect(header('Lat')).toHaveAttribute('aria-sort', 'ascending')
  await expect(header('Label')).toHaveAttribute('aria-sort', 'none')
  await expect(cell(1, 1)).toHaveText('zz Last of all')
  await sortButton('Lon').click()
  const west = Math.min(...devices.map(({ lon }) => lon))
  await expect(cell(1, 3)).toHaveText(west.toFixed(3))
  await sortButton('Status').click()
  await expect(cell(1, 4)).toHaveText('online')
  await sortButton('Status').click()
  await expect(cell(1, 4)).toHaveText('unknown')

  await statusFilter.selectOption('Offline')
  const offline = devices.filter(({ status }) => status === 'offline').length
  await expect(listCount).toHaveText(`${offline} of 302 devices`)
  await expect(cell(1, 4)).toHaveText('offline')
  await expect(grid).toHaveAttribute('aria-rowcount', String(offline + 1))
})

test('the query is in the address; changing it navigates nowhere and unmounts nothing', async ({
  page,
}) => {
  const { search, statusFilter, sortButton, rows, globe } = observatoryParts(page)
  await page.goto('/observatory')
  await expect(rows.first()).toBeVisible()
  await expect(globe.locator('canvas')).toBeVisible()
  await markDocument(page)
  // Elements that were drawn anew would have lost this.
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
  await search.scrollIntoViewIfNeeded()
  const scrolled = await page.evaluate(() => window.scrollY)
  expect(scrolled).toBeGreaterThan(0)

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
})

test('a link with a query shows that list, and the next link within the page the next one', async ({
  page,
}) => {
  const { search, statusFilter, rows, grid, listCount } = observatoryParts(page)
  await page.goto('/observatory?q=zurich&status=online&sort=lon&dir=desc')
  await expect(search).toHaveValue('zurich')
  await expect(statusFilter).toHaveValue('online')
  await expect(rows).toHaveCount(1)
  await expect(grid.getByRole('columnheader', { name: 'Lon' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  await page.goto('/observatory?status=asleep&sort=owner')
  await expect(statusFilter).toHaveValue('all')
  await expect(listCount).toHaveText('302 devices')
})

test('only the rows in view exist, and each says its place among all of them', async ({ page }) => {
  const { grid, rows, row } = observatoryParts(page)
  await page.goto('/observatory')
  await expect(grid).toHaveAttribute('aria-rowcount', '303')
  await expect(row(1)).toBeVisible()
  expect(await rows.count()).toBeLessThan(30)
  await row(1).scrollIntoViewIfNeeded()
  await grid.locator('..').evaluate((scroller) => {
    scroller.scrollTop = scroller.scrollHeight
  })
  await expect(row(302)).toBeAttached()
  await row(302).scrollIntoViewIfNeeded()
  expect(await rows.count()).toBeLessThan(30)
  await expect(row(302)).toContainText(labels.at(-1) ?? '')
})

test('arrows, Home, End, PageUp and PageDown move the focus; Enter selects, Tab goes on to the link', async ({
  page,
}) => {
  const { sortButton, row, grid } = observatoryParts(page)
  await page.goto('/observatory')
  await expect(row(1)).toBeVisible()
  await sortButton('Status').focus()
  await page.keyboard.press('Tab')
  await expect(row(1)).toBeFocused()
  const steps = [
    ['ArrowDown', 2],
    ['ArrowDown', 3],
    ['ArrowUp', 2],
    ['End', 302],
    ['ArrowDown', 302],
    ['Home', 1],
    ['ArrowUp', 1],
  ] as const
  for (const [key, place] of steps) {
    await page.keyboard.press(key)
    await expect(row(place), key).toBeFocused()
    await expect(row(place), key).toBeInViewport({ ratio: 0.9 })
  }
  await page.keyboard.press('PageDown')
  const place = async () => Number(await grid.locator('tr:focus').getAttribute('aria-rowindex')) - 1
  await expect.poll(place).toBeGreaterThan(5)
  await page.keyboard.press('PageUp')
  await expect(row(1)).toBeFocused()

  await page.keyboard.press('End')
  await expect(row(302)).toHaveAttribute('aria-selected', 'false')
  await page.keyboard.press('Enter')
  await expect(row(302)).toHaveAttribute('aria-selected', 'true')
  await expect(grid.locator('[aria-selected=true]')).toHaveCount(1)
})

test('the focused row keeps the focus while others are scrolled by, and Tab reaches its link alone', async ({
  page,
}) => {
  const { search, row, grid } = observatoryParts(page)
  await page.goto('/observatory?q=i')
  await expect(search).toHaveValue('i')
  const linked = grid.locator('tbody tr').filter({ has: page.getByRole('link') })
  await linked.first().focus()
  const place = Number(await grid.locator('tr:focus').getAttribute('aria-rowindex')) - 1
  await page.keyboard.press('Tab')
  await expect(row(place).getByRole('link')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(row(place)).toBeFocused()
  await grid.locator('..').evaluate((scroller) => {
    scroller.scrollTop = 5000
  })
  await expect(row(110)).toBeVisible()
  await expect(row(place)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(row(place + 1)).toBeFocused()
  await expect(row(place + 1)).toBeInViewport()
})

test('selecting a row turns the globe to its device', async ({ page }) => {
  const { globe, search, row } = observatoryParts(page)
  await page.goto('/observatory')
  const canvas = globe.locator('canvas')
  await search.fill('zurich')
  await row(1).click({ position: { x: 20, y: 20 } })
  await expect(row(1)).toHaveAttribute('aria-selected', 'true')
  const yaw = async () => Number(await canvas.getAttribute('data-yaw'))
  const pitch = async () => Number(await canvas.getAttribute('data-pitch'))
  await expect.poll(yaw).toBeCloseTo(zurich.lon, 0)
  await expect.poll(pitch).toBeCloseTo(zurich.lat, 0)
})

test('a device that is selected on the globe is selected here too, and scrolled into view', async ({
  page,
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

test('on a phone each row shows all six facts without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  const { search, row, grid } = observatoryParts(page)
  await page.goto('/observatory')
  await search.fill('zurich')
  await expect(row(1).getByRole('gridcell')).toHaveCount(6)
  for (const cell of await row(1).getByRole('gridcell').all()) {
    await cell.scrollIntoViewIfNeeded()
    await expect(cell).toBeInViewport({ ratio: 0.99 })
    const isCut = await cell.evaluate((element) => element.scrollWidth > element.clientWidth)
    expect(isCut, (await cell.textContent()) ?? '').toBe(false)
  }
  const scroller = grid.locator('..')
  expect(await scroller.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})
