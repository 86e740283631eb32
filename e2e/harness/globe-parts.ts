import type { Page } from '@playwright/test'
import type { Place } from '../../apps/web/src/features/observatory/geometry/unit-vector.ts'
import {
  createProjection,
  placePlanet,
  project,
  unproject,
} from '../../apps/web/src/features/observatory/globe/projection.ts'
import { expect } from './test.ts'

/** The camera at rest, from the globe's canvas. */
export interface ShownCamera {
  readonly view: string
  readonly zoom: number
  readonly yawDeg: number
  readonly pitchDeg: number
}

/** A point of the page, in CSS pixels from the window's top left corner. */
interface PagePoint {
  readonly x: number
  readonly y: number
}

/** The globe's parts, by role and name, and where places on it are on the page. */
export function globeParts(page: Page) {
  const panel = page.getByRole('region', { name: 'Sky and Earth', exact: true })
  const surface = panel.getByRole('application')
  const canvas = surface.locator('canvas')

  const camera = async (): Promise<ShownCamera> => {
    return await canvas.evaluate(({ dataset }) => ({
      view: dataset['view'] ?? '',
      zoom: Number(dataset['zoom']),
      yawDeg: Number(dataset['yaw']),
      pitchDeg: Number(dataset['pitch']),
    }))
  }
  const seen = async () => {
    const { view, ...shown } = await camera()
    const box = await canvas.boundingBox()
    if (box === null) throw new Error('The globe has no box')
    const projection = createProjection()
    const skyShare = view === 'sky' ? 1 : 0
    placePlanet(projection, { skyShare, ...shown }, box.width, box.height)
    return { box, projection }
  }

  return {
    panel,
    surface,
    canvas,
    camera,
    spoken: panel.locator('output'),
    button: (name: string) => panel.getByRole('button', { name, exact: true }),
    chooser: panel.getByRole('dialog'),
    label: (kind: string) => panel.locator(`[data-label=${kind}]`),
    /** The section for the selected region. */
    region: (name: string) => panel.getByRole('region', { name, exact: true }),
    /** The point of the page that shows a place. Throws if the place is behind the globe. */
    async pointOf(place: Place): Promise<PagePoint> {
      const { box, projection } = await seen()
      const point = project(projection, place)
      if (point === undefined) throw new Error('That place is behind the globe')
      return { x: box.x + point.xPx, y: box.y + point.yPx }
    },
    /** The place at a point of the page; undefined outside the globe. */
    async placeUnder({ x, y }: PagePoint): Promise<Place | undefined> {
      const { box, projection } = await seen()
      return unproject(projection, { xPx: x - box.x, yPx: y - box.y })
    },
    /** The point of the page at these fractions of the canvas. */
    async pointAt(right: number, down: number): Promise<PagePoint> {
      const { box } = await seen()
      return { x: box.x + right * box.width, y: box.y + down * box.height }
    },
    async rest(expected: Partial<ShownCamera>): Promise<void> {
      await expect.poll(camera).toMatchObject(expected)
    },
  }
}

/** Opens the Observatory and waits until the globe shows its nodes. */
export async function openGlobe(page: Page) {
  await page.goto('/observatory')
  const globe = globeParts(page)
  await globe.rest({ view: 'earth' })
  await expect(globe.panel.getByText('Looking for devices…')).toHaveCount(0)
  // Visible and at rest, because a click goes to a point of the page.
  await globe.surface.hover({ trial: true })
  return globe
}
