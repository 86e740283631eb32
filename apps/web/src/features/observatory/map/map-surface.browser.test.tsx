import type { NeighbourDevice } from '@astropelago/contract/neighbours'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { savedLocation } from '../../../lib/saved-location.ts'
import { expectAccessible } from '../../../test/accessibility.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleIsland } from '../../../test/sample-island.ts'
import {
  answerNeighbours,
  sampleNeighbour,
  sampleNeighbourIsland,
} from '../../../test/sample-neighbour.ts'
import { carriedIslands } from '../islands/carried-islands.ts'
import { carryIslands } from '../islands/testing/carry-islands.ts'
import { reefSky } from '../nodes/testing/nodes-at.ts'
import { sampleNetwork } from '../nodes/testing/sample-network.ts'
import { answerDetails } from '../nodes/testing/answer-details.ts'
import { MapSurface } from './map-surface.tsx'
import type { CreateMap, MapOptions } from './map-view.ts'
import { createServiceMap } from './service-map.ts'
import { mapDeviceList, mapDevices } from './testing/map-devices.ts'
import { mapsServiceScript } from './testing/maps-service.ts'

const surface = page.getByRole('application', { name: 'Map of the devices' })
const markers = page.getByRole('group', { name: 'Devices on the map' })
const marker = (name: string) => markers.getByRole('button', { name })
const popover = page.getByRole('dialog')
const title = popover.getByRole('heading')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const card = () => document.querySelector('[data-card]')?.textContent
const violet = (among: { element: () => Element }) =>
  among.element().querySelectorAll('.stroke-island').length
const markersOf = (kind: 'node' | 'group') =>
  document.querySelectorAll(`[data-marker=${kind}]`).length

/** The map's camera at rest. */
function camera() {
  const { dataset } = surface.element()
  const [latDeg, lonDeg, zoom] = ['lat', 'lon', 'zoom'].map((name) => Number(dataset[name]))
  return { latDeg, lonDeg, zoom }
}

/** Installs the stand-in for the service's script until the test ends. */
function installMapsService() {
  const script = document.createElement('script')
  script.textContent = mapsServiceScript
  document.head.append(script)
  onTestFinished(() => {
    script.remove()
    Reflect.deleteProperty(window, 'google')
  })
}

const createMap: CreateMap = (options: MapOptions) =>
  createServiceMap(options, () => google.maps.importLibrary('maps'))

/** The maps service's map of these devices, without the service. */
async function openMap(
  create: CreateMap = createMap,
  devices = mapDeviceList,
  ofNeighbours?: readonly NeighbourDevice[],
) {
  installMapsService()
  answerDetails(devices, { since: '2026-03-04T05:06:00.000Z', owner: 'Ada' })
  const network = sampleNetwork(devices, undefined, ofNeighbours)
  const { store, selection } = network
  await openPart(<MapSurface {...{ store, selection }} createMap={create} credit="Nobody" />)
  return network
}

async function openReadyMap(devices = mapDeviceList, ofNeighbours?: readonly NeighbourDevice[]) {
  const network = await openMap(createMap, devices, ofNeighbours)
  await expect.element(surface).toHaveAttribute('aria-busy', 'false')
  await expect.poll(() => camera().zoom).toBe(2)
  return network
}

describe('The map of the devices', () => {
  test('is 520 pixels high, shows its credit, and lets the wheel scroll the page', async () => {
    await openReadyMap()
    expect(surface.element().getBoundingClientRect().height).toBe(518)
    await expect.element(page.getByText('Nobody')).toBeVisible()
    const options = surface.element().querySelector('[data-options]')?.getAttribute('data-options')
    expect(JSON.parse(options ?? '')).toMatchObject({
      minZoom: 2,
      maxZoom: 9,
      gestureHandling: 'cooperative',
      keyboardShortcuts: false,
    })
  })

  test('buttons zoom from the whole world to the closest, and no further', async () => {
    await openReadyMap()
    const home = camera()
    await expect.element(button('Zoom map out')).toHaveAttribute('aria-disabled', 'true')
    button('Zoom map out').element().focus()
    await userEvent.keyboard('{Enter}')
    expect(camera().zoom).toBe(2)
    for (let zoom = 3; zoom <= 9; zoom++) {
      await button('Zoom map in').click()
      await expect.poll(() => camera().zoom).toBe(zoom)
    }
    await expect.element(button('Zoom map in')).toHaveAttribute('aria-disabled', 'true')
    await button('Move map east').click()
    await expect.poll(() => camera().lonDeg).toBeGreaterThan(home.lonDeg ?? 0)
    await button('Show the whole world').click()
    await expect.poll(camera).toEqual(home)
  })

  test('goes to a device that is selected elsewhere, and draws a ring around it', async () => {
    const { selection } = await openReadyMap()
    const { id, lat, lon } = mapDevices.longLabel
    selection.select(id, { latDeg: lat, lonDeg: lon, spanDeg: 20 })
    await expect.poll(camera).toEqual({ latDeg: lat, lonDeg: lon, zoom: 5 })
    await expect
      .poll(() => middleOf(document.querySelector('[data-pin=selected]')))
      .toEqual(middleOf(surface.element()))
  })

  test('continues where the globe ended, even if it loads later, and takes the focus', async () => {
    const { selection } = await openMap()
    selection.openMapAt({ latDeg: -33, lonDeg: 150, spanDeg: 20 })
    await expect.poll(camera).toEqual({ latDeg: -33, lonDeg: 150, zoom: 5 })
    await expect.element(surface).toHaveFocus()
    selection.openMapAt({ latDeg: 10, lonDeg: 20, spanDeg: 40 })
    await expect.poll(camera).toEqual({ latDeg: 10, lonDeg: 20, zoom: 4 })
  })

  test('shows names when zoomed in: the country, then its states; and the saved location as "You"', async () => {
    savedLocation.save({ label: 'Ship', lat: -33, lon: 150 })
    const { selection } = await openReadyMap()
    await expect.element(page.getByText('You: Ship')).toBeVisible()
    const country = page.getByText('Australia', { exact: true })
    const state = page.getByText('New South Wales', { exact: true })
    await expect.element(country).not.toBeInTheDocument()
    selection.turnTo({ latDeg: -25, lonDeg: 133, spanDeg: 40 })
    await expect.element(country).toBeVisible()
    await expect.element(state).not.toBeInTheDocument()
    selection.turnTo({ latDeg: -32, lonDeg: 147, spanDeg: 20 })
    await expect.element(state).toBeVisible()
    await expect.element(country).not.toBeInTheDocument()
  })

  test('passes axe with an open popover', async () => {
    await openReadyMap()
    await marker('Lighthouse, online').click()
    await expect.element(popover).toBeVisible()
    await expectAccessible()
  })
})

describe('Markers', () => {
  test('a single node has its status mark and its label, cut to 12 characters', async () => {
    await openReadyMap()
    await expect.poll(() => markersOf('node')).toBe(3)
    expect(markersOf('group')).toBe(2)
    await expect.element(marker('Lighthouse, online')).toHaveTextContent('Lighthouse')
    await expect.element(marker('Harbour Island Radio, offline')).toHaveTextContent('Harbour Isla')
    await expect.element(marker('Quiet Buoy, unknown')).toBeVisible()
    expect(marker('Lighthouse, online').element().querySelectorAll('svg')).toHaveLength(1)
  })

  test('a node’s card is the same as on the globe, by mouse and by focus; groups have none', async () => {
    await openReadyMap()
    await marker('Lighthouse, online').hover()
    await expect
      .poll(card)
      .toMatch(/^Lighthouse.*online.*since Mar 4.*Leads to lighthouse\.example.*Run by Ada$/)
    await marker('3 devices: 3 online').hover()
    await expect.poll(card).toBeUndefined()
    marker('Quiet Buoy, unknown').element().focus()
    await expect.poll(card).toMatch(/^Quiet Buoy.*last heard from.*No link.*Run by Ada$/)
    await userEvent.keyboard('{Enter}')
    await expect.element(title).toHaveTextContent('Quiet Buoy')
    expect(card()).toBeUndefined()
    await expect.element(popover).toMatchTextContent('Run by Ada')
  })

  test('the visitor’s own private device is marked as private', async () => {
    const { source } = await openReadyMap()
    source.setPrivate([
      { ...mapDevices.unheard, id: 'own', label: 'Attic safe', lat: 30, lon: -60 },
    ])
    source.retry()
    await expect.element(marker('Attic safe, unknown, private')).toBeVisible()
    await expect.element(marker('Quiet Buoy, unknown')).toBeVisible()
  })

  test('a node’s popover has its label, status, place and a link that opens in a new tab', async () => {
    const { selection } = await openReadyMap()
    await marker('Lighthouse, online').click()
    await expect.element(title).toHaveTextContent('Lighthouse')
    await expect.element(popover).toMatchTextContent('online')
    await expect.element(popover).toMatchTextContent('52.500, 13.400')
    await expect
      .element(popover.getByRole('link', { name: 'Its page' }))
      .toHaveAttribute('href', `/devices/${mapDevices.linked.id}`)
    const link = popover.getByRole('link', { name: /^Visit/ })
    await expect.element(link).toHaveAttribute('href', 'https://lighthouse.example/a')
    await expect.element(link).toHaveAttribute('target', '_blank')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
    expect(selection.selectedId).toBe(mapDevices.linked.id)
    await button('Close').click()
    await expect.element(popover).not.toBeInTheDocument()
    expect(selection.selectedId).toBeUndefined()

    await marker('Harbour Island Radio, offline').click()
    await expect.element(popover).toMatchTextContent('offline')
    await expect.element(popover.getByRole('link', { name: /^Visit/ })).not.toBeInTheDocument()
    // A click outside closes it.
    await surface.click({ position: { x: 500, y: 60 } })
    await expect.element(popover).not.toBeInTheDocument()
  })

  test('a node that carries an island has the island’s mark, and a link to it in its popover', async () => {
    await carryIslands(sampleIsland({ deviceId: mapDevices.linked.id }))
    const { source } = await openReadyMap()
    source.setCarriers(carriedIslands.deviceIds())
    const carrier = marker('Lighthouse, online, island Harbour Tales')
    await expect.element(carrier).toBeVisible()
    await expect.poll(() => violet(carrier)).toBe(2)
    expect(violet(markers)).toBe(2)
    await carrier.click()
    const toIsland = popover.getByRole('link', { name: 'To the island' })
    await expect.element(toIsland).toHaveAttribute('href', '/islands/harbour-tales')
    await expect.element(popover).toMatchTextContent('Island Harbour Tales, open')
    await expect
      .element(popover.getByRole('link', { name: /^Visit/ }))
      .toHaveAttribute('href', 'https://lighthouse.example/a')
    await button('Close').click()
    source.setCarriers([])
    await expect.poll(() => violet(markers)).toBe(0)
  })

  test('a neighbour’s island has a mark in the neighbour’s ring, its name, and a link to its page there', async () => {
    answerNeighbours(sampleNeighbour())
    carriedIslands.showNeighbours([sampleNeighbourIsland({ deviceId: 'reef:mast' })])
    onTestFinished(() => carriedIslands.showNeighbours([]))
    const place = { lat: -20, lon: -150, status: 'online' } as const
    const { source } = await openReadyMap(mapDeviceList, [
      { id: 'reef:mast', label: 'Coral mast', ...place },
      { id: 'reef:one', label: 'One', ...place, lat: -50 },
      { id: 'reef:two', label: 'Two', ...place, lat: -50 },
    ])
    source.setNeighbours([reefSky])
    source.setCarriers(carriedIslands.deviceIds())
    await expect.element(marker('2 devices of neighbours')).toMatchTextContent(/^\+2$/)
    const carrier = marker('Coral mast, online, of Reef Sky, island Coral Cinema')
    await expect.poll(() => violet(carrier)).toBe(2)
    expect(carrier.element().querySelector('[style*=border-color]')).not.toBeNull()
    await carrier.click()
    await expect.element(popover).toMatchTextContent('Reef Sky')
    const toIsland = popover.getByRole('link', { name: 'To the island (opens in a new tab)' })
    await expect
      .element(toIsland)
      .toHaveAttribute('href', 'https://reef.example/islands/coral-cinema')
    await expect.element(toIsland).toHaveAttribute('rel', 'noopener noreferrer')
  })

  test('a popover closes when its device is removed or another one is selected', async () => {
    const { selection, list } = await openReadyMap()
    await marker('Lighthouse, online').click()
    await expect.element(title).toHaveTextContent('Lighthouse')
    selection.select(mapDevices.unheard.id)
    await expect.element(popover).not.toBeInTheDocument()
    await marker('Lighthouse, online').click()
    await expect.element(popover).toBeVisible()
    list(mapDeviceList.filter(({ id }) => id !== mapDevices.linked.id))
    await expect.element(popover).not.toBeInTheDocument()
  })

  test('a group shows its online and total counts, and zooms in until its nodes separate', async () => {
    await openReadyMap()
    const group = marker('2 devices: 1 online, 1 offline')
    await expect.element(group).toMatchTextContent(/^1\s*of 2$/)
    await group.click()
    await expect.element(marker('Prairie North, online')).toBeVisible()
    await expect.element(marker('Prairie South, offline')).toBeVisible()
    expect(camera().zoom).toBeGreaterThan(5)
  })

  test('several nodes at one place open a list, and each of them its popover', async () => {
    await openReadyMap()
    const home = camera()
    await marker('3 devices: 3 online').click()
    await expect.element(title).toHaveTextContent('3 devices here')
    expect(popover.getByRole('listitem').length).toBe(3)
    expect(camera()).toEqual(home)
    await popover.getByRole('button', { name: /Stack Two/ }).click()
    await expect.element(title).toHaveTextContent('Stack Two')
    await popover.getByRole('button', { name: 'Back to the devices here' }).click()
    await expect.element(popover.getByRole('listitem').first()).toBeVisible()
  })
})

test('keys: arrows move, + and - zoom, Home shows the whole world; markers are reached, opened and left', async () => {
  await openReadyMap()
  const home = camera()
  surface.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => camera().lonDeg).toBeGreaterThan(home.lonDeg ?? 0)
  await userEvent.keyboard('{ArrowUp}')
  await expect.poll(() => camera().latDeg).not.toBe(home.latDeg)
  await userEvent.keyboard('+')
  await expect.poll(() => camera().zoom).toBe(3)
  await userEvent.keyboard('-')
  await expect.poll(() => camera().zoom).toBe(2)
  await userEvent.keyboard('{Home}')
  await expect.poll(camera).toEqual(home)

  await userEvent.tab()
  expect(document.activeElement).toHaveAttribute('data-marker')
  marker('3 devices: 3 online').element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(marker('Lighthouse, online')).toHaveFocus()
  expect(camera()).toEqual(home)
  await userEvent.keyboard('{Enter}')
  await expect.element(title).toHaveTextContent('Lighthouse')
  await expect.element(popover).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(popover).not.toBeInTheDocument()
  await expect.element(marker('Lighthouse, online')).toHaveFocus()
})

describe('A map that did not load', () => {
  test('shows the reason in a red box with a retry', async () => {
    let tries = 0
    await openMap((options) => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('Out of ink.')) : createMap(options)
    })
    const alert = page.getByRole('alert')
    await expect.element(alert).toHaveTextContent('Out of ink.')
    expect(alert.element()).toHaveStyle({ color: 'rgb(251, 138, 138)' })
    await button('Try again').click()
    await expect.element(marker('Lighthouse, online')).toBeVisible()
    await expect.element(alert).not.toBeInTheDocument()
  })

  test('shows a later refusal of the key in the same place', async () => {
    await openReadyMap()
    window.gm_authFailure?.()
    await expect
      .element(page.getByRole('alert'))
      .toHaveTextContent('The maps service has refused the key in VITE_GOOGLE_MAPS_API_KEY.')
  })

  test('a map without devices says so', async () => {
    await openReadyMap([])
    await expect.element(page.getByText('No public devices yet.')).toBeVisible()
  })
})

function middleOf(element: Element | null): readonly number[] {
  const { x, y, width, height } = element?.getBoundingClientRect() ?? new DOMRect()
  return [Math.round(x + width / 2), Math.round(y + height / 2)]
}
