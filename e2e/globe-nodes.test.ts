import { globeDevices, globePlaces, islandLink } from './harness/globe-devices.ts'
import { openGlobe } from './harness/globe-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: globeDevices } })
test.beforeEach(async ({ page, user }) => {
  expect(user.username).toBeDefined()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.route('https://*.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>An island</title>' }),
  )
})

test('a click on a node with a link navigates there in the same tab; none behind it is hit', async ({
  page,
}) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.linked)
  await page.mouse.click(x, y)
  await expect(page).toHaveURL(islandLink)
  expect(page.context().pages()).toHaveLength(1)
  await page.goBack()
  await globe.rest({ view: 'earth' })
})

test('pressing a node with a link selects no region, and a drag from it does not navigate', async ({
  page,
}) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.linked)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 5, y, { steps: 2 })
  await page.mouse.up()
  await expect.poll(async () => (await globe.camera()).yawDeg).not.toBe(12)
  await expect(globe.panel.getByRole('region')).toHaveCount(0)
  await expect(page).toHaveURL(/\/observatory$/)
})

test('a click that moves less than 4 px is one', async ({ page }) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.linked)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 3, y)
  await page.mouse.up()
  await expect(page).toHaveURL(islandLink)
})

test('a node without a link: its region is selected, and it with it', async ({ page }) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.plain)
  await page.mouse.click(x, y)
  const region = globe.region('Western Europe')
  await expect(region).toContainText('1 device, 0 online')
  const row = region.getByRole('button', { name: 'Weather buoy' })
  await expect(row).toHaveAttribute('aria-pressed', 'true')
  await expect(row).toContainText('offline')
  await expect(page).toHaveURL(/\/observatory/)
})

test('several nodes under the pointer: a chooser asks which, and the link is followed', async ({
  page,
}) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.few)
  await page.mouse.click(x, y)
  await expect(globe.chooser).toHaveAccessibleName('3 devices here')
  await expect(globe.chooser.getByRole('listitem')).toHaveCount(3)
  await expect(globe.chooser.getByRole('link')).toBeFocused()
  await expect(globe.chooser.getByRole('link')).toContainText('Cellar relay')
  await expect(globe.chooser.getByRole('button', { name: 'Attic relay offline' })).toBeVisible()
  await expect(globe.chooser.getByRole('button', { name: 'Roof relay unknown' })).toBeVisible()
  await globe.chooser.getByRole('link').press('Enter')
  await expect(page).toHaveURL('https://cellar.example/')
})

test('the chooser closes with Esc and when the focus leaves it, and gives the focus back', async ({
  page,
}) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.few)
  await page.mouse.click(x, y)
  await expect(globe.chooser).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(globe.chooser).toHaveCount(0)
  await expect(globe.surface).toBeFocused()
  await globe.rest({ view: 'earth' })

  await page.mouse.click(x, y)
  for (let press = 0; press < 3; press++) await page.keyboard.press('Tab')
  await expect(globe.chooser).toHaveCount(0)
  await expect(globe.surface).not.toBeFocused()

  await globe.canvas.scrollIntoViewIfNeeded()
  const again = await globe.pointOf(globePlaces.few)
  await page.mouse.click(again.x, again.y)
  await globe.chooser.getByRole('button', { name: 'Attic relay' }).click()
  await expect(globe.chooser).toHaveCount(0)
  await expect(globe.label('selected').or(globe.label('pointed'))).toContainText(['Attic relay'])
})

test('a crowd: the chooser names 50 and tells how many more there are', async ({ page }) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.crowd)
  await page.mouse.click(x, y)
  await expect(globe.chooser).toHaveAccessibleName('60 devices here')
  await expect(globe.chooser.getByRole('listitem')).toHaveCount(50)
  await expect(globe.chooser).toContainText('and 10 more')
  const frame = await globe.surface.boundingBox()
  const box = await globe.chooser.boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(frame?.y ?? Infinity)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(
    (frame?.y ?? 0) + (frame?.height ?? 0),
  )
})

test('the mouse over a node shows its label, and beside it none', async ({ page }) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.plain)
  await page.mouse.move(x + 2, y + 1)
  await expect(globe.label('pointed')).toHaveText('Weather buoy')
  await page.mouse.move(x + 40, y + 40)
  await expect(globe.label('pointed')).toHaveCount(0)
})

test('N and P walk over the nodes in sight; each is heard and marked, Enter opens its link', async ({
  page,
}) => {
  const globe = await openGlobe(page)
  await globe.surface.focus()
  await page.keyboard.press('n')
  await expect(globe.spoken).toHaveText(
    'Harbour Pi, online, 24°N, 12°E. 1 of 65 in sight. Enter opens its link.',
  )
  await expect(globe.label('pointed')).toHaveText('Harbour Pi')
  await page.keyboard.press('p')
  await expect(globe.spoken).toContainText('65 of 65 in sight. Enter selects it.')
  await page.keyboard.press('n')
  await expect(globe.spoken).toContainText('Harbour Pi')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(islandLink)
})

test('the keyboard leaves a node that has turned behind the globe', async ({ page }) => {
  const globe = await openGlobe(page)
  await globe.surface.focus()
  await page.keyboard.press('n')
  await expect(globe.label('pointed')).toHaveText('Harbour Pi')
  for (let press = 0; press < 12; press++) await page.keyboard.press('ArrowRight')
  await globe.rest({ yawDeg: 132 })
  await expect(globe.label('pointed')).toHaveCount(0)
})

test('a node chosen in the list is turned to and marked; one of the region likewise', async ({
  page,
}) => {
  const globe = await openGlobe(page)
  const list = page.getByRole('region', { name: 'Devices', exact: true })
  await list.getByRole('searchbox').or(list.getByRole('textbox')).fill('Antipode')
  await list.getByText('Antipode', { exact: true }).click()
  await globe.rest({ view: 'earth', yawDeg: -168, pitchDeg: -24 })
  await expect(globe.label('selected')).toHaveText('Antipode')

  const { x, y } = await globe.pointAt(0.5, 0.35)
  await page.mouse.click(x, y)
  await globe.button('Reset the view').click()
  await globe.rest({ yawDeg: 12 })
  const few = await globe.pointOf(globePlaces.few)
  await page.mouse.click(few.x + 25, few.y)
  const region = globe.region('Arabia and Horn of Africa')
  await expect(region).toContainText('3 devices, 1 online')
  await expect(region.getByRole('link', { name: /Link of Cellar relay/ })).toHaveAttribute(
    'target',
    '_blank',
  )
  await region.getByRole('button', { name: /Attic relay/ }).click()
  await globe.rest({ yawDeg: globePlaces.few.lonDeg, pitchDeg: globePlaces.few.latDeg })
})

test('the saved location appears as you', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('astropelago.location-label.v1', '"Kitchen"')
    localStorage.setItem('astropelago.location-place.v1', '{"lat":30,"lon":5}')
  })
  const globe = await openGlobe(page)
  await expect(globe.label('you')).toHaveText('You: Kitchen')
})

test('states are named up close, and only there', async ({ page }) => {
  const globe = await openGlobe(page)
  await expect(globe.label('place')).toHaveCount(0)
  await page.getByRole('button', { name: 'Jump to' }).click()
  await page.getByRole('menuitem', { name: 'Australia', exact: true }).click()
  await globe.rest({ yawDeg: 133, pitchDeg: -27 })
  await expect(globe.label('place').filter({ hasText: 'Queensland' })).toBeVisible()
  await globe.button('Reset the view').click()
  await expect(globe.label('place')).toHaveCount(0)
})
