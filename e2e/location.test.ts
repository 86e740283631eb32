import { locationParts } from './harness/location-parts.ts'
import { expectAccessible } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test.describe('The location panel', () => {
  test.beforeEach(async ({ page, user: _user }) => {
    await locationParts(page).open()
  })

  test('is closed at first, opens and closes by its toggle, and keeps what is typed', async ({
    page,
  }) => {
    const panel = locationParts(page)
    await page.reload()
    await expect(panel.toggle).toHaveAttribute('aria-expanded', 'false')
    await expect(panel.form).toBeHidden()
    await panel.toggle.focus()
    await page.keyboard.press('Enter')
    await expect(panel.toggle).toHaveAttribute('aria-expanded', 'true')
    await panel.enter('Attic', '54.3', '')
    await panel.toggle.click()
    await expect(panel.form).toBeHidden()
    await panel.toggle.click()
    expect(await panel.typed()).toEqual({ label: 'Attic', lat: '54.3', lon: '' })
  })

  test('saves label, place and an id made once, which outlast a reload', async ({ page }) => {
    const panel = locationParts(page)
    await expect(panel.toggle).toContainText('Not saved yet')
    await panel.enter('Harbour Pi', ' 54.323312 ', '-10.1')
    await page.keyboard.press('Enter')
    await expect(panel.message).toHaveText('Saved')
    await expect(panel.toggle).toContainText('Harbour Pi · 54.323, -10.100')
    const stored = await panel.stored()
    expect(stored).toEqual({
      'id.v1': expect.stringMatching(uuid),
      'label.v1': 'Harbour Pi',
      'place.v1': { lat: 54.323312, lon: -10.1 },
    })

    await page.reload()
    await expect(panel.toggle).toContainText('Harbour Pi')
    await panel.toggle.click()
    expect(await panel.typed()).toEqual({ label: 'Harbour Pi', lat: '54.323312', lon: '-10.1' })
    await panel.lat.fill('-90')
    await panel.save.click()
    await expect(panel.message).toHaveText('Saved')
    expect(await panel.stored()).toEqual({ ...stored, 'place.v1': { lat: -90, lon: -10.1 } })
  })

  test('calls a device without a label My Node', async ({ page }) => {
    const panel = locationParts(page)
    await expect(panel.label).toHaveValue('My Node')
    await panel.enter('  ', '1', '2')
    await panel.save.click()
    await expect(panel.label).toHaveValue('My Node')
    expect(await panel.stored()).toMatchObject({ 'label.v1': 'My Node' })
  })

  test('saves only a latitude of -90 to 90 and a longitude of -180 to 180', async ({ page }) => {
    const panel = locationParts(page)
    await expect(panel.save).toBeDisabled()
    await expect(panel.message).toHaveText('Enter valid lat/lon')
    for (const [lat, lon] of [
      ['90.1', '0'],
      ['0', '-180.01'],
      ['54,3', '10'],
      ['', '10'],
      ['0x1', '1'],
      ['north', '1'],
    ] as const) {
      await panel.enter('Attic', lat, lon)
      await expect(panel.save).toBeDisabled()
      await expect(panel.message).toHaveText('Enter valid lat/lon')
      await panel.label.press('Enter')
      expect(await panel.stored()).toEqual({})
    }
    await expect(panel.lat).toHaveAttribute('aria-invalid', 'true')
    await expect(panel.lat).toHaveAccessibleDescription('Enter valid lat/lon')
    for (const [lat, lon] of [
      ['90', '-180'],
      ['-90', '180'],
    ] as const) {
      await panel.enter('Attic', lat, lon)
      await expect(panel.save).toBeEnabled()
      await expect(panel.message).toBeEmpty()
    }
    await expect(panel.lat).not.toHaveAttribute('aria-invalid')
  })

  test('clears label and place, and keeps the id', async ({ page }) => {
    const panel = locationParts(page)
    await panel.enter('Attic', '1', '2')
    await panel.save.click()
    const { 'id.v1': id } = await panel.stored()
    await panel.clear.click()
    await expect(panel.message).toHaveText('Cleared')
    expect(await panel.typed()).toEqual({ label: 'My Node', lat: '', lon: '' })
    await expect(panel.toggle).toContainText('Not saved yet')
    await expect(panel.save).toBeDisabled()
    expect(await panel.stored()).toEqual({ 'id.v1': id })
  })

  test('says that nothing leaves the browser, and sends nothing', async ({ page }) => {
    const panel = locationParts(page)
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    await expect(panel.form).toContainText('Kept in this browser only; nothing is sent.')
    await panel.enter('Attic', '1', '2')
    await panel.save.click()
    await expect(panel.message).toHaveText('Saved')
    expect(sent.filter((text) => text.includes('Attic'))).toEqual([])
  })

  test('follows another tab, unless something else is typed', async ({ page, context }) => {
    const here = locationParts(page)
    const otherPage = await context.newPage()
    const there = locationParts(otherPage)
    await there.open()
    await there.enter('Attic', '1', '2')
    await there.save.click()
    await expect(here.toggle).toContainText('Attic · 1.000, 2.000')
    expect(await here.typed()).toEqual({ label: 'Attic', lat: '1', lon: '2' })

    await here.lat.fill('33')
    await there.enter('Cellar', '3', '4')
    await there.save.click()
    await expect(here.form).toContainText('Another tab has saved another location.')
    expect(await here.typed()).toEqual({ label: 'Attic', lat: '33', lon: '2' })
    await here.form.getByRole('button', { name: 'Show it here' }).click()
    expect(await here.typed()).toEqual({ label: 'Cellar', lat: '3', lon: '4' })
    await expect(here.form).not.toContainText('Another tab')

    await here.lat.fill('5')
    await there.clear.click()
    await expect(here.form).toContainText('Another tab has cleared the saved location.')
    await here.save.click()
    await expect(there.toggle).toContainText('Cellar · 5.000, 4.000')
  })

  test('passes axe, open, with its messages, on a desktop and a phone', async ({ page }) => {
    const panel = locationParts(page)
    await panel.enter('Attic', '91', '2')
    await expectAccessible(page)
    await panel.lat.fill('1')
    await panel.save.click()
    await expectAccessible(page)
  })
})

test('where the browser refuses to store anything, a location holds for the visit, and that is said', async ({
  page,
  user: _user,
}) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('No room.', 'QuotaExceededError')
    }
  })
  const panel = locationParts(page)
  await panel.open()
  await panel.enter('Attic', '1', '2')
  await panel.save.click()
  await expect(panel.message).toHaveText('Saved')
  await expect(panel.form).toContainText('it is gone when the page is loaded again')
  await expect(panel.toggle).toContainText('Attic · 1.000, 2.000')
  await page.reload()
  await expect(panel.toggle).toContainText('Not saved yet')
})
