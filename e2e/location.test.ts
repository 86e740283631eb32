import { locationParts } from './harness/location-parts.ts'
import { expect, test } from './harness/test.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test.describe('The location panel', () => {
  test.beforeEach(async ({ page, user: _user }) => {
    await locationParts(page).open()
  })

  test(
    'saves a label, a place and a stable id, which survive a reload',
    { tag: '@long' },
    async ({ page }) => {
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
    },
  )

  test('follows changes in another tab', { tag: '@long' }, async ({ page, context }) => {
    const here = locationParts(page)
    const otherPage = await context.newPage()
    const there = locationParts(otherPage)
    await there.open()
    await there.enter('Attic', '1', '2')
    await there.save.click()
    await expect(here.toggle).toContainText('Attic · 1.000, 2.000')
    expect(await here.typed()).toEqual({ label: 'Attic', lat: '1', lon: '2' })
  })
})
