import { expect, type Page } from '@playwright/test'

/** The map panel's parts, by role and name. */
export function mapParts(page: Page) {
  const panel = page.getByRole('region', { name: 'Map', exact: true })
  const surface = panel.getByRole('application', { name: 'Map of the devices' })
  const markers = panel.getByRole('group', { name: 'Devices on the map' })
  return {
    panel,
    /** Takes the focus and the keys, and has the map's position at rest in its attributes. */
    surface,
    marker: (name: string | RegExp) => markers.getByRole('button', { name }),
    nodeMarkers: markers.locator('[data-marker=node]'),
    groupMarkers: markers.locator('[data-marker=group]'),
    popover: panel.getByRole('dialog'),
    button: (name: string) => panel.getByRole('button', { name, exact: true }),
    /** Scrolls to the map, which starts loading it, and waits for it. */
    ready: async () => {
      await panel.scrollIntoViewIfNeeded()
      await expect(surface).toHaveAttribute('data-zoom', /./, { timeout: 20_000 })
    },
    /** The map's position at rest. */
    camera: async () => {
      const [latDeg, lonDeg, zoom] = await Promise.all(
        ['data-lat', 'data-lon', 'data-zoom'].map((name) => surface.getAttribute(name)),
      )
      return { latDeg: Number(latDeg), lonDeg: Number(lonDeg), zoom: Number(zoom) }
    },
  }
}
