import type { PublicDevice } from '@astropelago/contract/devices'
import { expect } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import land from 'world-atlas/land-110m.json'
import landUrl from 'world-atlas/land-110m.json?url'
import { respondTo } from '../../../../test/answer-api.ts'
import { openPart } from '../../../../test/open-screen.tsx'
import { CountryJump } from '../../countries/country-jump.tsx'
import type { Place } from '../../geometry/unit-vector.ts'
import {
  createProjection,
  placePlanet,
  project,
  type ScreenPoint,
  unproject,
} from '../../globe/projection.ts'
import { createNodeStore } from '../../nodes/node-store.ts'
import { NodeTable } from '../../nodes/node-table.ts'
import { carriedIslands } from '../../islands/carried-islands.ts'
import { answerDetails } from '../../nodes/testing/answer-details.ts'
import { createSelection } from '../../selection.ts'
import { GlobePanel } from '../globe-panel.tsx'

/** The camera at rest, from the canvas's data attributes. */
interface ShownCamera {
  readonly view: string
  readonly zoom: number
  readonly yawDeg: number
  readonly pitchDeg: number
}

type MouseEventType = 'mousePressed' | 'mouseMoved' | 'mouseReleased'

/**
 * Opens the globe's panel with these devices and the islands they carry. The globe is drawn with Canvas 2D
 * and at rest.
 */
export async function openGlobe(
  devices: readonly PublicDevice[],
  ownPrivate: readonly PublicDevice[] = [],
) {
  const store = createNodeStore()
  const selection = createSelection()
  const table = new NodeTable()
  table.setAll(devices)
  table.setPrivate(ownPrivate)
  table.setCarriers(carriedIslands.deviceIds())
  const update = table.takeUpdate()
  if (update?.kind === 'columns') store.replace(update.columns)
  const asked = answerDetails([...devices, ...ownPrivate], {
    since: '2026-03-04T05:06:00.000Z',
    owner: 'Ada',
  })
  respondTo('GET', new URL(landUrl, window.location.href).pathname, async () => Response.json(land))
  await openPart(
    <>
      <header>
        <CountryJump store={store} selection={selection} />
      </header>
      <GlobePanel
        store={store}
        selection={selection}
        opening={{ view: 'earth', zoom: 1 }}
        onRest={() => undefined}
      />
    </>,
  )
  const surface = page.getByRole('application')
  const globe = {
    selection,
    surface,
    /** Requests so far for the details that cards show. */
    asked,
    card: () => document.querySelector('[data-card]')?.textContent,
    chooser: page.getByRole('dialog'),
    spoken: page.getByRole('status'),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    region: (name?: string) =>
      page.getByRole('region', name === undefined ? {} : { name, exact: true }),
    canvas: () => {
      const canvas = surface.element().querySelector('canvas')
      if (canvas === null) throw new Error('There is no globe')
      return canvas
    },
    labels: (kind: string) => {
      const labels = document.querySelectorAll<HTMLElement>(`[data-label=${kind}]`)
      return Array.from(labels, ({ textContent }) => textContent)
    },
    camera: (): ShownCamera => {
      const { dataset } = globe.canvas()
      return {
        view: dataset['view'] ?? '',
        zoom: Number(dataset['zoom']),
        yawDeg: Number(dataset['yaw']),
        pitchDeg: Number(dataset['pitch']),
      }
    },
    rest: async (expected: Partial<ShownCamera>) => {
      await expect.poll(globe.camera).toMatchObject(expected)
    },
    /**
     * Where a place is on the surface.
     * @throws Error if it is behind the globe
     */
    pointOf: (place: Place): ScreenPoint => {
      const point = project(seen(), place)
      if (point === undefined) throw new Error('That place is behind the globe')
      return { xPx: Math.round(point.xPx), yPx: Math.round(point.yPx) }
    },
    /** The place under a point of the surface; undefined outside the globe. */
    placeUnder: (point: ScreenPoint) => unproject(seen(), point),
    /** A point of the surface, given as shares of its width and height. */
    pointAt: (right: number, down: number): ScreenPoint => {
      const { width, height } = globe.canvas().getBoundingClientRect()
      return { xPx: Math.round(right * width), yPx: Math.round(down * height) }
    },
    click: async ({ xPx: x, yPx: y }: ScreenPoint) =>
      userEvent.click(surface, { position: { x, y } }),
    tap: async ({ xPx, yPx }: ScreenPoint) => {
      const box = surface.element().getBoundingClientRect()
      const frame = window.frameElement?.getBoundingClientRect()
      const x = (frame?.left ?? 0) + box.left + xPx
      const y = (frame?.top ?? 0) + box.top + yPx
      await cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
      await cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    },
    /** How many pixels of the canvas around a point have about this colour. */
    pixelsNear: ({ xPx, yPx }: ScreenPoint, [red, green, blue]: readonly number[]) => {
      const canvas = globe.canvas()
      const scale = canvas.width / canvas.getBoundingClientRect().width
      const corner = [xPx - 10, yPx - 10].map((px) => Math.round(px * scale))
      const size = Math.round(20 * scale)
      const context = canvas.getContext('2d')
      const { data } = context?.getImageData(corner[0] ?? 0, corner[1] ?? 0, size, size) ?? {}
      let count = 0
      for (let at = 0; at < (data?.length ?? 0); at += 4) {
        const isNear = [red, green, blue].every(
          (wanted, channel) => Math.abs((data?.[at + channel] ?? 0) - (wanted ?? 0)) < 24,
        )
        if (isNear) count += 1
      }
      return count
    },
    hover: async ({ xPx: x, yPx: y }: ScreenPoint) =>
      userEvent.hover(surface, { position: { x, y } }),
    /** Presses, moves in this many steps, 16 ms each by the events' timestamps, then releases. */
    drag: async (from: ScreenPoint, rightPx: number, downPx: number, steps = 8) => {
      const startS = Date.now() / 1000
      await mouse('mousePressed', from, startS)
      for (let step = 1; step <= steps; step++) {
        const share = step / steps
        const point = { xPx: from.xPx + rightPx * share, yPx: from.yPx + downPx * share }
        await mouse('mouseMoved', point, startS + step * 0.016)
      }
      const to = { xPx: from.xPx + rightPx, yPx: from.yPx + downPx }
      await mouse('mouseReleased', to, startS + (steps + 0.5) * 0.016)
    },
  }

  const seen = () => {
    const { view, ...shown } = globe.camera()
    const { width, height } = globe.canvas().getBoundingClientRect()
    const projection = createProjection()
    placePlanet(projection, { skyShare: view === 'sky' ? 1 : 0, ...shown }, width, height)
    return projection
  }
  const mouse = async (type: MouseEventType, { xPx, yPx }: ScreenPoint, timestamp: number) => {
    const box = surface.element().getBoundingClientRect()
    const frame = window.frameElement?.getBoundingClientRect()
    await cdp().send('Input.dispatchMouseEvent', {
      type,
      x: (frame?.left ?? 0) + box.left + xPx,
      y: (frame?.top ?? 0) + box.top + yPx,
      timestamp,
      button: 'left',
      buttons: type === 'mouseReleased' ? 0 : 1,
      clickCount: 1,
    })
  }

  await expect.element(surface).toBeVisible()
  await globe.rest({ view: 'earth' })
  return globe
}
