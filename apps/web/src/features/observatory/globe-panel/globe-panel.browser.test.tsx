import { getPublicDevice, type PublicDevice } from '@astropelago/contract/devices'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { savedLocation } from '../../../lib/saved-location.ts'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi } from '../../../test/answer-api.ts'
import { watchDepartures } from '../../../test/departures.ts'
import { allowMotion } from '../../../test/emulation.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleIsland } from '../../../test/sample-island.ts'
import { carryIslands } from '../islands/testing/carry-islands.ts'
import { createNodeStore } from '../nodes/node-store.ts'
import { answerDetails } from '../nodes/testing/answer-details.ts'
import { createSelection } from '../selection.ts'
import { GlobePanel } from './globe-panel.tsx'
import { openGlobe } from './testing/open-globe.tsx'

const start = { view: 'earth', zoom: 1, yawDeg: 12, pitchDeg: 24 }
/** Long enough for a thrown globe to keep turning noticeably. */
const throwMs = 500
/** The token --color-island. */
const islandColor = [0xa7, 0x8b, 0xfa]
const islandLink = 'https://harbour.example/island'

/** At least 10 degrees apart. All but one are in view at the start. */
const places = {
  /** One device with a link, in the middle of the view at the start. */
  linked: { latDeg: 24, lonDeg: 12 },
  /** One device with a link, behind the globe, exactly opposite `linked`. */
  behind: { latDeg: -24, lonDeg: -168 },
  /** One device without a link. */
  plain: { latDeg: 41, lonDeg: -21 },
  /** Three devices; the first has a link. */
  few: { latDeg: 10, lonDeg: 40 },
  /** Sixty devices without a link. */
  crowd: { latDeg: -12, lonDeg: -8 },
  /** Nothing within 15 degrees. */
  empty: { latDeg: 8, lonDeg: -24 },
} as const

const devices = [
  deviceAt('linked', 'Harbour Pi', { link: islandLink }),
  deviceAt('behind', 'Antipode', { link: 'https://antipode.example/' }),
  deviceAt('plain', 'Weather buoy', { status: 'offline' }),
  deviceAt('few', 'Cellar relay', { link: 'https://cellar.example/' }),
  deviceAt('few', 'Attic relay', { status: 'offline' }),
  deviceAt('few', 'Roof relay', { status: 'unknown' }),
  ...Array.from({ length: 60 }, (_, index) => deviceAt('crowd', `Fleet ${index + 1}`)),
]

function deviceAt(
  place: keyof typeof places,
  label: string,
  details: Partial<PublicDevice> = {},
): PublicDevice {
  const { latDeg: lat, lonDeg: lon } = places[place]
  return { id: label, label, lat, lon, status: 'online', link: null, ...details }
}

describe('the views', () => {
  test('Sky view and back: the button, Esc, and a click on the planet but not beside it', async () => {
    const globe = await openGlobe(devices)
    await globe.rest(start)
    await expect.element(page.getByText('or press Esc')).toBeVisible()
    expect(globe.canvas().getBoundingClientRect().height).toBe(460)
    await globe.button('Sky view').click()
    await globe.rest({ view: 'sky' })
    await expect.element(globe.button('Earth view')).toHaveFocus()
    await expect.element(page.getByText('or press Esc')).not.toBeInTheDocument()

    const beside = globe.pointAt(0.9, 0.5)
    expect(globe.placeUnder(beside)).toBeUndefined()
    await globe.click(beside)
    await globe.rest({ view: 'sky' })
    await globe.click(globe.pointAt(0.5, 0.5))
    await globe.rest(start)

    await userEvent.keyboard('{Escape}')
    await globe.rest({ view: 'sky' })
    await userEvent.keyboard('{Escape}')
    await globe.rest({ view: 'sky' })
    await globe.button('Earth view').click()
    await globe.rest({ view: 'earth' })
  })

  test('Esc leaves to the sky even if nothing has the focus', async () => {
    const globe = await openGlobe(devices)
    expect(document.activeElement).toBe(document.body)
    await userEvent.keyboard('{Escape}')
    await globe.rest({ view: 'sky' })
  })

  test('Esc that closes a menu elsewhere leaves the globe where it is', async () => {
    const globe = await openGlobe(devices)
    await page.getByRole('button', { name: 'Jump to' }).click()
    await expect.element(page.getByRole('menu')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
    await globe.rest({ view: 'earth' })
  })
})

describe('a drag', () => {
  test('selects the region that it begins in, and keeps its place under the pointer', async () => {
    const globe = await openGlobe(devices)
    const { xPx, yPx } = globe.pointOf(places.empty)
    await globe.drag({ xPx, yPx }, 60, 20)
    const region = globe.region('West Africa')
    await expect.element(region).toMatchTextContent('0° to 30°N, 30°W to 0°')
    await expect.element(region).toMatchTextContent('No devices here yet')
    const place = () => globe.placeUnder({ xPx: xPx + 60, yPx: yPx + 20 })
    await expect.poll(() => place()?.latDeg).toBeCloseTo(places.empty.latDeg, 0)
    await expect.poll(() => place()?.lonDeg).toBeCloseTo(places.empty.lonDeg, 0)
    expect(globe.camera().yawDeg).not.toBe(start.yawDeg)

    await region.getByRole('button', { name: 'Close the region' }).click()
    await expect.element(region).not.toBeInTheDocument()
    await expect.element(globe.surface).toHaveFocus()
  })

  test('over the pole stops short of it', async () => {
    const globe = await openGlobe(devices)
    for (let drag = 0; drag < 3; drag++) await globe.drag(globe.pointAt(0.5, 0.2), 0, 260, 2)
    await expect.poll(() => globe.camera().pitchDeg).toBe(89)
  })

  test('released in motion, the globe keeps turning', async () => {
    await allowMotion()
    const turnedOnDeg = await throwGlobe()
    await expect.poll(turnedOnDeg).toBeGreaterThan(3)
  })

  test('with reduced motion the globe stops where it is released', async () => {
    const turnedOnDeg = await throwGlobe()
    await expect.poll(() => Math.abs(turnedOnDeg())).toBeLessThan(0.5)
    await new Promise((resolve) => setTimeout(resolve, throwMs))
    expect(Math.abs(turnedOnDeg())).toBeLessThan(0.5)
  })
})

/** Throws the globe. Returns how far it kept turning. */
async function throwGlobe() {
  const globe = await openGlobe(devices)
  const { xPx, yPx } = globe.pointOf(places.empty)
  await globe.drag({ xPx, yPx }, 96, 0)
  return () => {
    const place = globe.placeUnder({ xPx: xPx + 96, yPx })
    return places.empty.lonDeg - (place?.lonDeg ?? NaN)
  }
}

describe('buttons, wheel and keys', () => {
  test('zoom goes from 0.6 to 1.8 in steps of 0.1, and its buttons end there', async () => {
    const globe = await openGlobe(devices)
    await globe.button('Zoom in').click()
    await globe.rest({ zoom: 1.1 })
    for (const zoom of [1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8]) {
      await userEvent.keyboard('{Enter}')
      await globe.rest({ zoom })
    }
    await expect.element(globe.button('Zoom in')).toHaveAttribute('aria-disabled', 'true')
    await globe.button('Zoom in').click({ force: true })
    await globe.rest({ zoom: 1.8 })
    await globe.button('Zoom out').click()
    await globe.rest({ zoom: 1.7 })
    await userEvent.keyboard('{Enter}'.repeat(11))
    await globe.rest({ zoom: 0.6 })
    await expect.element(globe.button('Zoom out')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(globe.button('Zoom in')).not.toHaveAttribute('aria-disabled')
  })

  test('the wheel scrolls the page; with Ctrl it zooms', async () => {
    const globe = await openGlobe(devices)
    const roll = (ctrlKey: boolean) => {
      const event = new WheelEvent('wheel', { deltaY: -120, ctrlKey, cancelable: true })
      return globe.surface.element().dispatchEvent(event)
    }
    expect(roll(false)).toBe(true)
    expect(roll(true)).toBe(false)
    await globe.rest({ zoom: 1.1 })
  })

  test('buttons do everything that a drag does', async () => {
    const globe = await openGlobe(devices)
    await globe.button('Turn east').click()
    await globe.rest({ yawDeg: 22, pitchDeg: 24 })
    await globe.button('Turn north').click()
    await globe.rest({ yawDeg: 22, pitchDeg: 34 })
    await globe.button('Turn west').click()
    await globe.rest({ yawDeg: 12 })
    await globe.button('Turn south').click()
    await globe.rest({ pitchDeg: 24 })
    await globe.button('Zoom in').click()
    await globe.button('Reset the view').click()
    await expect.poll(globe.camera).toMatchObject(start)
  })

  test('arrows turn, + and - zoom, Home resets, Enter selects the region in the middle', async () => {
    const globe = await openGlobe(devices)
    globe.surface.element().focus()
    await userEvent.keyboard('{ArrowLeft}{ArrowDown}')
    await globe.rest({ yawDeg: 2, pitchDeg: 14 })
    await expect.element(globe.spoken).toMatchTextContent('14°N, 2°E, zoom 1.0.')
    await userEvent.keyboard('++')
    await globe.rest({ zoom: 1.2 })
    await userEvent.keyboard('-')
    await globe.rest({ zoom: 1.1 })
    await userEvent.keyboard('{ArrowRight}{ArrowUp}{Home}')
    await globe.rest(start)
    await userEvent.keyboard('{Enter}')
    await expect.element(globe.region('North Central Africa')).toBeVisible()
    await expect.element(globe.spoken).toMatchTextContent('Region 0° to 30°N, 0° to 30°E selected.')
    await userEvent.keyboard('{Escape}')
    await globe.rest({ view: 'sky' })
    await expect.element(globe.region()).not.toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    await globe.rest({ view: 'earth' })
  })

  test('N and P go through the devices in sight, which are announced and marked; Enter opens a link', async () => {
    const globe = await openGlobe(devices)
    globe.surface.element().focus()
    await userEvent.keyboard('n')
    await expect
      .element(globe.spoken)
      .toMatchTextContent(
        'Harbour Pi, online, 24°N, 12°E. 1 of 65 in sight. Enter opens harbour.example.',
      )
    expect(globe.labels('pointed')).toEqual(['Harbour Pi'])
    await expect.poll(globe.card).toMatch(/^Harbour Pi.*Leads to harbour\.example.*Run by Ada$/)
    await userEvent.keyboard('p')
    await expect.element(globe.spoken).toMatchTextContent('65 of 65 in sight. Enter selects it.')
    await userEvent.keyboard('n')
    await expect.element(globe.spoken).toMatchTextContent('Harbour Pi')
    const departures = watchDepartures()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => departures.map(({ to }) => to)).toEqual([islandLink])
  })

  test('a device that turns behind the globe loses the keyboard focus', async () => {
    const globe = await openGlobe(devices)
    globe.surface.element().focus()
    await userEvent.keyboard('n')
    await expect.poll(() => globe.labels('pointed')).toEqual(['Harbour Pi'])
    await userEvent.keyboard('{ArrowRight>12/}')
    await globe.rest({ yawDeg: 132 })
    await expect.poll(() => globe.labels('pointed')).toEqual([])
  })
})

function cardHeight() {
  return document.querySelector('[data-card]')?.getBoundingClientRect().height
}

describe('devices', () => {
  test('a click that moves less than 4 px opens a link in this tab; a drag from there does nothing else', async () => {
    const globe = await openGlobe(devices)
    const departures = watchDepartures()
    await globe.drag(globe.pointOf(places.linked), 5, 0, 2)
    await expect.poll(() => globe.camera().yawDeg).not.toBe(start.yawDeg)
    await expect.element(globe.region()).not.toBeInTheDocument()
    expect(departures).toEqual([])
    await globe.button('Reset the view').click()
    await globe.rest(start)
    await globe.drag(globe.pointOf(places.linked), 3, 0, 1)
    await expect.poll(() => departures.map(({ to }) => to)).toEqual([islandLink])
  })

  test('a click on a device without a link selects it and its region', async () => {
    const globe = await openGlobe(devices)
    await globe.click(globe.pointOf(places.plain))
    const region = globe.region('Western Europe')
    await expect.element(region).toMatchTextContent('1 device, 0 online')
    const row = region.getByRole('button', { name: /Weather buoy/ })
    await expect.element(row).toHaveAttribute('aria-pressed', 'true')
    await expect.element(row).toMatchTextContent('offline')
  })

  test('a click on several devices opens a chooser with the focus on the first', async () => {
    const globe = await openGlobe(devices)
    await globe.click(globe.pointOf(places.few))
    await expect.element(globe.chooser).toHaveAccessibleName('3 devices here')
    expect(globe.chooser.getByRole('listitem').elements()).toHaveLength(3)
    const link = globe.chooser.getByRole('link')
    await expect.element(link).toHaveFocus()
    await expect.element(link).toMatchTextContent('Cellar relay')
    await expect.element(globe.button('Attic relay offline')).toBeVisible()
    await expect.element(globe.button('Roof relay unknown')).toBeVisible()
    const departures = watchDepartures()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => departures.map(({ to }) => to)).toEqual(['https://cellar.example/'])
  })

  test('the chooser closes with Esc, on a choice and when it loses the focus, and returns the focus', async () => {
    const globe = await openGlobe(devices)
    const few = globe.pointOf(places.few)
    await globe.click(few)
    await expect.element(globe.chooser).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(globe.chooser).not.toBeInTheDocument()
    await expect.element(globe.surface).toHaveFocus()
    await globe.rest({ view: 'earth' })

    await globe.click(few)
    await expect.element(globe.chooser).toBeVisible()
    await userEvent.keyboard('{Tab}{Tab}{Tab}{Tab}')
    await expect.element(globe.chooser).not.toBeInTheDocument()
    await expect.element(globe.surface).not.toHaveFocus()

    await globe.click(few)
    await globe.chooser.getByRole('button', { name: /Attic relay/ }).click()
    await expect.element(globe.chooser).not.toBeInTheDocument()
    expect(globe.selection.selectedId).toBe('Attic relay')
    expect([...globe.labels('selected'), ...globe.labels('pointed')]).toContain('Attic relay')
  })

  test('the chooser lists 50 devices of a crowd and counts the rest, inside the frame', async () => {
    const globe = await openGlobe(devices)
    await globe.click(globe.pointOf(places.crowd))
    await expect.element(globe.chooser).toHaveAccessibleName('60 devices here')
    expect(globe.chooser.getByRole('listitem').elements()).toHaveLength(50)
    await expect.element(globe.chooser).toMatchTextContent('and 10 more')
    const frame = globe.surface.element().getBoundingClientRect()
    const { top, bottom } = globe.chooser.element().getBoundingClientRect()
    expect(top).toBeGreaterThanOrEqual(frame.top)
    expect(bottom).toBeLessThanOrEqual(frame.bottom)
  })

  test('a press on a group zooms in until its devices separate, and the map continues from there', async () => {
    const row = Array.from({ length: 8 }, (_, index) => ({
      ...deviceAt('few', `Row ${index}`),
      lon: places.few.lonDeg + index * 0.7,
    }))
    const globe = await openGlobe(row)
    const middle = { latDeg: places.few.latDeg, lonDeg: places.few.lonDeg + 3.5 * 0.7 }
    await globe.click(globe.pointOf(middle))
    await expect.poll(() => globe.camera().zoom).toBe(1.8)
    expect(globe.camera().yawDeg).toBeCloseTo(middle.lonDeg, 0)
    await expect.element(globe.chooser).not.toBeInTheDocument()
    await expect.element(globe.region()).not.toBeInTheDocument()

    await globe.button('Look closer on the map').click()
    const sight = globe.selection.takeMapSight()
    expect(sight?.latDeg).toBeCloseTo(middle.latDeg, 0)
    expect(sight?.lonDeg).toBeCloseTo(middle.lonDeg, 0)
    await globe.button('Zoom out').click()
    await expect.element(globe.button('Look closer on the map')).not.toBeInTheDocument()
  })

  test('the chooser leads to the map for devices that no zoom separates', async () => {
    const globe = await openGlobe(devices)
    await globe.click(globe.pointOf(places.crowd))
    await globe.chooser.getByRole('button', { name: 'Look closer on the map' }).click()
    await expect.element(globe.chooser).not.toBeInTheDocument()
    expect(globe.selection.takeMapSight()?.lonDeg).toBeCloseTo(places.crowd.lonDeg, 3)
  })

  test('a device under the mouse shows its label', async () => {
    const globe = await openGlobe(devices)
    const { xPx, yPx } = globe.pointOf(places.plain)
    await globe.hover({ xPx: xPx + 2, yPx: yPx + 1 })
    await expect.poll(() => globe.labels('pointed')).toEqual(['Weather buoy'])
    await globe.hover({ xPx: xPx + 40, yPx: yPx + 40 })
    await expect.poll(() => globe.labels('pointed')).toEqual([])
  })

  test('a card shows status, time, owner and link; its details are requested once', async () => {
    const globe = await openGlobe(devices)
    const linked = globe.pointOf(places.linked)
    await globe.hover(linked)
    await expect
      .poll(globe.card)
      .toMatch(/^Harbour Pi.*online.*since Mar 4.*Leads to harbour\.example.*Run by Ada$/)
    const beside = { xPx: linked.xPx + 40, yPx: linked.yPx + 40 }
    await globe.hover(beside)
    await expect.poll(globe.card).toBeUndefined()
    await globe.hover(globe.pointOf(places.plain))
    await expect.poll(globe.card).toMatch(/^Weather buoy.*offline.*No link.*Run by Ada$/)
    await globe.hover(beside)
    await expect.poll(globe.card).toBeUndefined()
    await globe.hover(linked)
    await expect.poll(globe.card).toMatch(/Run by Ada$/)
    expect(globe.asked.map(({ params }) => params.id)).toEqual(['Harbour Pi', 'Weather buoy'])
  })

  test('name, status and host show before the details, which do not change the card’s height', async () => {
    const globe = await openGlobe(devices)
    const answer = Promise.withResolvers<'dropped'>()
    answerApi(getPublicDevice, () => answer.promise)
    await globe.hover(globe.pointOf(places.linked))
    await expect.poll(globe.card).toMatch(/^Harbour Pi.*online.*Leads to harbour\.example$/)
    const before = cardHeight()
    answerDetails(devices, { since: '2026-03-04T05:06:00.000Z', owner: 'Ada' })
    answer.resolve('dropped')
    // A lost connection is retried without a message.
    await expect.poll(globe.card).toMatch(/Run by Ada$/)
    expect(cardHeight()).toBe(before)
  })

  test('the card of a deleted or private device says that it is no longer public', async () => {
    const globe = await openGlobe(devices)
    answerDetails([])
    await globe.hover(globe.pointOf(places.plain))
    await expect.poll(globe.card).toMatch(/^Weather buoy.*No longer public$/)
  })

  test('the visitor’s own private device is announced as private, also on its card', async () => {
    const globe = await openGlobe([], [deviceAt('linked', 'Attic safe')])
    globe.surface.element().focus()
    await userEvent.keyboard('n')
    await expect.element(globe.spoken).toMatchTextContent('Attic safe, online, private, 24°N')
    await expect.poll(globe.card).toMatch(/^Attic safe.*Private: only you see it here$/)
  })

  test('a device that carries an island has the island’s mark and leads there, also from its card', async () => {
    await carryIslands(sampleIsland({ deviceId: 'Harbour Pi' }))
    const globe = await openGlobe(devices)
    const linked = globe.pointOf(places.linked)
    await expect.poll(() => globe.pixelsNear(linked, islandColor)).toBeGreaterThan(10)
    expect(globe.pixelsNear(globe.pointOf(places.plain), islandColor)).toBe(0)
    await globe.hover(linked)
    await expect
      .poll(globe.card)
      .toMatch(/^Harbour Pi.*Island Harbour Tales, open.*Also links to harbour\.example/)

    await globe.tap(linked)
    const card = page.getByRole('dialog', { name: 'Harbour Pi' })
    const toIsland = card.getByRole('link', { name: 'To the island' })
    await expect.element(toIsland).toHaveFocus()
    await expect.element(toIsland).toHaveAttribute('href', '/islands/harbour-tales')
    await expect
      .element(card.getByRole('link', { name: 'Visit' }))
      .toHaveAttribute('href', 'https://harbour.example/island')
    await expect
      .element(card.getByRole('link', { name: 'Its page' }))
      .toHaveAttribute('href', expect.stringMatching(/^\/devices\//))
    await expectAccessible()
    await toIsland.click()
    await expect.poll(() => window.location.pathname).toBe('/islands/harbour-tales')
  })

  test('a device in the chooser and in the region’s list leads to its island', async () => {
    await carryIslands(sampleIsland({ deviceId: 'Cellar relay' }))
    const globe = await openGlobe(devices)
    const few = globe.pointOf(places.few)
    await globe.click({ ...few, xPx: few.xPx + 25 })
    const inRegion = globe.region().getByRole('link', { name: 'To the island Harbour Tales' })
    await expect.element(inRegion).toHaveAttribute('href', '/islands/harbour-tales')
    await globe.click(few)
    const choice = globe.chooser.getByRole('link')
    await expect.element(choice).toMatchTextContent('Cellar relayIsland Harbour Tales, open')
    await choice.click()
    await expect.poll(() => window.location.pathname).toBe('/islands/harbour-tales')
  })

  test('the globe turns to a device that is selected elsewhere or in the region, and marks it', async () => {
    const globe = await openGlobe(devices)
    globe.selection.select('Antipode', { ...places.behind, spanDeg: 90 })
    await globe.rest({ view: 'earth', yawDeg: -168, pitchDeg: -24 })
    expect(globe.labels('selected')).toEqual(['Antipode'])

    await globe.button('Reset the view').click()
    await globe.rest(start)
    const few = globe.pointOf(places.few)
    await globe.click({ ...few, xPx: few.xPx + 25 })
    const region = globe.region('Arabia and Horn of Africa')
    await expect.element(region).toMatchTextContent('3 devices, 1 online')
    await expect
      .element(region.getByRole('link', { name: /Link of Cellar relay/ }))
      .toHaveAttribute('target', '_blank')
    await region.getByRole('button', { name: /Attic relay/ }).click()
    await globe.rest({ yawDeg: places.few.lonDeg, pitchDeg: places.few.latDeg })
  })

  test('the saved location appears as you', async () => {
    savedLocation.save({ label: 'Kitchen', lat: 30, lon: 5 })
    const globe = await openGlobe(devices)
    await expect.poll(() => globe.labels('you')).toEqual(['You: Kitchen'])
  })
})

const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
const australia = page.getByRole('menuitem', { name: /^Australia\b/ })

describe('countries', () => {
  test('the globe turns to a country or a state by mouse and by keyboard, and names states up close', async () => {
    const globe = await openGlobe(devices)
    const jump = page.getByRole('button', { name: 'Jump to' })
    expect(globe.labels('territory')).toEqual([])
    await jump.click()
    await item('Tasmania').click()
    await globe.rest({ view: 'earth', yawDeg: 146.59, pitchDeg: -42.02 })
    await expect.element(jump).toHaveFocus()

    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('With devices')).toBeVisible()
    await userEvent.keyboard('v')
    await expect.element(item('Victoria')).toHaveFocus()
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(item('New South Wales')).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}')
    await userEvent.keyboard('{Enter}')
    await globe.rest({ yawDeg: 144.28, pitchDeg: -36.85 })

    await expect.element(jump).toHaveFocus()
    await jump.click()
    await australia.click()
    await globe.rest({ yawDeg: 133, pitchDeg: -27 })
    await expect.poll(() => globe.labels('territory')).toContain('Queensland')
    await globe.button('Reset the view').click()
    await expect.poll(() => globe.labels('territory')).toEqual([])
  })
})

test('passes axe: on the globe with a device in focus, with a region open, in the sky', async () => {
  const globe = await openGlobe(devices)
  globe.surface.element().focus()
  await userEvent.keyboard('n')
  await expectAccessible()
  await globe.click(globe.pointOf(places.plain))
  await expect.element(globe.region('Western Europe')).toBeVisible()
  await expectAccessible()
  await globe.button('Sky view').click()
  await globe.rest({ view: 'sky' })
  await expectAccessible()
})

test('without a canvas a message leads to the list', async () => {
  const context = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  onTestFinished(() => context.mockRestore())
  await openPart(
    <GlobePanel
      store={createNodeStore()}
      selection={createSelection()}
      opening={{ view: 'earth', zoom: 1 }}
      onRest={() => undefined}
    />,
  )
  await expect.element(page.getByText('Your browser can’t draw the globe here')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Go to the list' }))
    .toHaveAttribute('href', '#device-list')
})
