import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { savedLocation } from '../../../lib/saved-location.ts'
import { expectAccessible } from '../../../test/accessibility.ts'
import { holdTime } from '../../../test/emulation.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { standAt } from '../../../test/stand-at.ts'
import { createSelection, type Sight } from '../selection.ts'
import { LocationPanel } from './location-panel.tsx'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const keyPrefix = 'astropelago.location-'
const toggle = page.getByRole('button', { name: /^My location/ })
const form = page.getByRole('form', { name: 'My location' })
const label = form.getByLabelText('Label')
const lat = form.getByLabelText('Latitude')
const lon = form.getByLabelText('Longitude')
const save = form.getByRole('button', { name: 'Save' })
const locate = form.getByRole('button', { name: 'Use current location' })
const message = form.getByRole('status').first()

/** Opens the panel and records the sights that the globe and the map turn to. */
async function openPanel() {
  const selection = createSelection()
  const sights: Sight[] = []
  selection.onSight((sight) => sights.push(sight))
  await openPart(<LocationPanel selection={selection} />)
  await toggle.click()
  return { sights }
}

async function enter(name: string, latText: string, lonText: string) {
  await label.fill(name)
  await lat.fill(latText)
  await lon.fill(lonText)
}

async function expectTyped(name: string, latText: string, lonText: string) {
  await expect.element(label).toHaveValue(name)
  await expect.element(lat).toHaveValue(latText)
  await expect.element(lon).toHaveValue(lonText)
}

/** The contents of localStorage: the last part of each key, and its value. */
function stored(): Record<string, unknown> {
  const entries = Object.entries(window.localStorage)
    .filter(([key]) => key.startsWith(keyPrefix))
    .map(([key, text]) => [key.slice(keyPrefix.length), JSON.parse(String(text))] as const)
  return Object.fromEntries(entries)
}

/** Another tab writes to the shared storage, and the browser notifies this one. */
function otherTab(place: { lat: number; lon: number } | undefined, name = 'Attic') {
  const values = { 'id.v1': crypto.randomUUID(), 'label.v1': name, 'place.v1': place }
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) window.localStorage.removeItem(keyPrefix + key)
    else window.localStorage.setItem(keyPrefix + key, JSON.stringify(value))
    window.dispatchEvent(new StorageEvent('storage', { key: keyPrefix + key }))
  }
}

describe('The location panel', () => {
  test('is closed at first, opens and closes by its toggle, and keeps typed text', async () => {
    await openPart(<LocationPanel selection={createSelection()} />)
    await expect.element(toggle).toHaveAttribute('aria-expanded', 'false')
    await expect.element(form).not.toBeInTheDocument()
    await userEvent.tab()
    await expect.element(toggle).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(toggle).toHaveAttribute('aria-expanded', 'true')
    await enter('Attic', '54.3', '')
    await toggle.click()
    await expect.element(form).not.toBeInTheDocument()
    await toggle.click()
    await expectTyped('Attic', '54.3', '')
  })

  test('saves label, place and a permanent id, turns the globe and the map there, and sends nothing', async () => {
    const { sights } = await openPanel()
    await expect.element(toggle).toMatchTextContent('Not saved yet')
    await expect.element(form).toMatchTextContent('Kept in this browser only; nothing is sent.')
    await enter('Harbour Pi', ' 54.323312 ', '-10.1')
    await userEvent.keyboard('{Enter}')
    await expect.element(message).toHaveTextContent('Saved')
    await expect.element(toggle).toMatchTextContent('Harbour Pi · 54.323, -10.100')
    expect(sights).toEqual([{ latDeg: 54.323312, lonDeg: -10.1, spanDeg: 40 }])
    const kept = stored()
    expect(kept).toEqual({
      'id.v1': expect.stringMatching(uuid),
      'label.v1': 'Harbour Pi',
      'place.v1': { lat: 54.323312, lon: -10.1 },
    })
    await lat.fill('-90')
    await save.click()
    await expect.element(message).toHaveTextContent('Saved')
    expect(stored()).toEqual({ ...kept, 'place.v1': { lat: -90, lon: -10.1 } })
  })

  test('shows the saved location when it is opened again', async () => {
    savedLocation.save({ label: 'Harbour Pi', lat: 54.323312, lon: -10.1 })
    await openPanel()
    await expect.element(save).toBeEnabled()
    await expectTyped('Harbour Pi', '54.323312', '-10.1')
  })

  test('labels a device without a label My Node', async () => {
    await openPanel()
    await expect.element(label).toHaveValue('My Node')
    await enter('  ', '1', '2')
    await save.click()
    await expect.element(label).toHaveValue('My Node')
    expect(stored()).toMatchObject({ 'label.v1': 'My Node' })
  })

  test('saves only a latitude of -90 to 90 and a longitude of -180 to 180', async () => {
    await openPanel()
    await expect.element(save).toBeDisabled()
    await expect.element(message).toHaveTextContent('Enter valid lat/lon')
    for (const [latText, lonText] of [
      ['90.1', '0'],
      ['0', '-180.01'],
      ['', '10'],
      ['54,3', '10'],
    ] as const) {
      await enter('Attic', latText, lonText)
      await expect.element(save).toBeDisabled()
      await expect.element(message).toHaveTextContent('Enter valid lat/lon')
      await userEvent.keyboard('{Enter}')
      expect(stored()).toEqual({})
    }
    await expect.element(lat).toHaveAttribute('aria-invalid', 'true')
    await expect.element(lat).toHaveAccessibleDescription('Enter valid lat/lon')
    await enter('Attic', '-90', '180')
    await expect.element(save).toBeEnabled()
    await expect.element(message).toHaveTextContent('')
    await expect.element(lat).not.toHaveAttribute('aria-invalid')
  })

  test('clears label and place, and keeps the id', async () => {
    const { id } = savedLocation.save({ label: 'Attic', lat: 1, lon: 2 }).location
    await openPanel()
    await form.getByRole('button', { name: 'Clear' }).click()
    await expect.element(message).toHaveTextContent('Cleared')
    await expectTyped('My Node', '', '')
    await expect.element(toggle).toMatchTextContent('Not saved yet')
    await expect.element(save).toBeDisabled()
    expect(stored()).toEqual({ 'id.v1': id })
  })

  test('follows another tab, unless something else is typed', async () => {
    await openPanel()
    otherTab({ lat: 1, lon: 2 })
    await expect.element(toggle).toMatchTextContent('Attic · 1.000, 2.000')
    await expectTyped('Attic', '1', '2')

    await lat.fill('33')
    otherTab({ lat: 3, lon: 4 }, 'Cellar')
    await expect.element(form).toMatchTextContent('Another tab has saved another location.')
    await expectTyped('Attic', '33', '2')
    await form.getByRole('button', { name: 'Show it here' }).click()
    await expectTyped('Cellar', '3', '4')
    await expect.element(form).not.toMatchTextContent('Another tab')

    await lat.fill('5')
    otherTab(undefined)
    await expect.element(form).toMatchTextContent('Another tab has cleared the saved location.')
    await save.click()
    await expect.element(toggle).toMatchTextContent('Cellar · 5.000, 4.000')
  })

  test('without storage a location lasts for the visit, and a message says so', async () => {
    const refuse = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('No room.', 'QuotaExceededError')
    })
    onTestFinished(() => refuse.mockRestore())
    await openPanel()
    await enter('Attic', '1', '2')
    await save.click()
    await expect.element(message).toHaveTextContent('Saved')
    await expect.element(form).toMatchTextContent('it is gone when the page is loaded again')
    await expect.element(toggle).toMatchTextContent('Attic · 1.000, 2.000')
    expect(stored()).toEqual({})
  })

  test('passes axe, open, with its messages', async () => {
    await openPanel()
    await enter('Attic', '91', '2')
    await expect.element(message).toHaveTextContent('Enter valid lat/lon')
    await expectAccessible(form)
    await lat.fill('1')
    await save.click()
    await expectAccessible(form)
  })
})

describe('Use current location', () => {
  test('saves the place at once, with six decimals, each time', async () => {
    const ask = standAt({ lat: -33.85681234, lon: 151.21531987 })
    await openPanel()
    await label.fill('Opera house')
    await locate.click()
    await expect.element(message).toHaveTextContent('Saved current location')
    await expectTyped('Opera house', '-33.856812', '151.21532')
    expect(stored()).toMatchObject({ 'place.v1': { lat: -33.856812, lon: 151.21532 } })
    await expect.element(toggle).toMatchTextContent('Opera house · -33.857, 151.215')
    expect(ask.mock.lastCall?.[2]).toMatchObject({ enableHighAccuracy: true, maximumAge: 0 })

    standAt({ lat: 1e-7, lon: -180 })
    await locate.click()
    await expectTyped('Opera house', '0', '-180')
  })

  test('a refusal is shown, and typed text stays', async () => {
    standAt({ code: 1 })
    await openPanel()
    await enter('Attic', '54.3', '10')
    await locate.click()
    await expect.element(message).toMatchTextContent('Your browser did not allow it.')
    await expectTyped('Attic', '54.3', '10')
    expect(stored()).toEqual({})
    await save.click()
    await expect.element(message).toHaveTextContent('Saved')
  })

  test('a browser without geolocation gets a message', async () => {
    const geolocation = vi.spyOn(Navigator.prototype, 'geolocation', 'get')
    // Undefined, as in browsers without geolocation, although the types do not allow it.
    geolocation.mockReturnValue(JSON.parse('{}').geolocation)
    onTestFinished(() => geolocation.mockRestore())
    await openPanel()
    await locate.click()
    await expect.element(message).toHaveTextContent('Geolocation not available')
  })

  test('gives up after ten seconds, and can be retried', async () => {
    standAt({ code: 3, isSlow: true })
    holdTime()
    await openPanel()
    const locating = form.getByRole('button', { name: 'Locating…' })
    await label.fill('Attic')
    await locate.click()
    await expect.element(locating).toHaveAttribute('aria-disabled', 'true')
    await vi.advanceTimersByTimeAsync(10_000)
    await expect.element(message).toMatchTextContent('took more than 10 seconds')
    await expect.element(label).toHaveValue('Attic')
    await locate.click()
    await expect.element(locating).toBeVisible()
  })

  test('does not replace what is typed or saved meanwhile', async () => {
    standAt({ code: 3, isSlow: true })
    holdTime()
    await openPanel()
    await locate.click()
    await enter('Attic', '54.3', '10')
    await expect.element(locate).toBeEnabled()
    await save.click()
    await vi.advanceTimersByTimeAsync(10_100)
    // By then any change from the answer has rendered.
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    await expect.element(message).toHaveTextContent('Saved')
    await expectTyped('Attic', '54.3', '10')
  })
})
