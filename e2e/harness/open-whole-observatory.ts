import { expect, type Page } from '@playwright/test'
import { globeParts } from './globe-parts.ts'
import { mapParts } from './map-parts.ts'
import { observatoryParts } from './observatory-parts.ts'
import { shownAt } from './shown-at.ts'

/** Opens the Observatory on a device that has never reported: the list, the map, and the globe's region. */
export async function openWholeObservatory(page: Page, label: string) {
  await page.goto(`/observatory?q=${encodeURIComponent(label)}`)
  const { grid, count, status } = observatoryParts(page)
  const map = mapParts(page)
  await map.ready()
  const row = grid.getByRole('row', { name: label })
  await row.click({ position: { x: 20, y: 20 } })
  const globe = globeParts(page)
  // The globe has turned to the device, which is now at its centre.
  await globe.surface.click()
  const region = globe.panel.getByRole('region')
  await expect(region).toContainText(label)
  await expect(map.marker(`${label}, unknown`)).toBeVisible()
  await expect(row).toContainText('unknown')
  await expect(count('online')).toHaveText('0')
  return {
    status,
    grid,
    /** When each part first shows the device as online. */
    onlineAt: () =>
      Promise.all([
        shownAt(count('online'), '1'),
        shownAt(grid, '>online<'),
        shownAt(map.panel, `${label}, online`),
        shownAt(region, '1 online'),
      ]),
  }
}
