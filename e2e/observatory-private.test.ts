import { makeDevice } from './harness/devices.ts'
import { globeParts } from './harness/globe-parts.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expect, test } from './harness/test.ts'

test('owners see their private devices marked in their list and on the globe; the public list has none', async ({
  page,
  user,
}) => {
  const label = `Attic safe of ${user.username}`
  await makeDevice(page.request, { label, lat: 24, lon: 12, visibility: 'private' })
  await page.goto('/observatory')
  const { grid } = observatoryParts(page)
  await expect(grid.getByRole('row', { name: `${label} private` })).toBeVisible()
  const globe = globeParts(page)
  await globe.surface.focus()
  await page.keyboard.press('n')
  await expect(globe.spoken).toContainText(`${label}, unknown, private`)
  const listed = await page.request.get('/api/devices')
  expect(await listed.text()).not.toContain(label)
})
