import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerTowns } from '../lib/towns/testing/answer-towns.ts'
import { expectAccessible } from '../test/accessibility.ts'
import { holdTime } from '../test/emulation.ts'
import { openPart } from '../test/open-screen.tsx'
import { standAt } from '../test/stand-at.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { DraftedDevice } from './device-draft.ts'
import { DeviceForm } from './device-form.tsx'
import { type PlacePickerProps, PlacePickerSource } from './place-picker-source.ts'
import { deviceFormParts } from './testing/device-form-parts.ts'

const whole = page.getByRole('main')
const form = deviceFormParts(whole)
const search = page.getByRole('combobox', { name: 'Search a town' })
const towns = page.getByRole('listbox', { name: 'Towns' })
const town = (name: string) => towns.getByRole('option', { name, exact: false })
const submit = page.getByRole('button', { name: 'Save' })
const locate = page.getByRole('button', { name: 'Use my location' })
const said = (text: string) => page.getByRole('status').filter({ hasText: text })
const others = page.getByRole('group', { name: 'How exactly others see it' })

const saved: DraftedDevice[] = []
beforeEach(() => {
  saved.length = 0
})

function Form() {
  return (
    <DeviceForm
      save={async (details) => saved.push(details)}
      onSaved={() => undefined}
      explain={String}
      submitLabel="Save"
      busyLabel="Saving…"
    />
  )
}

async function openForm() {
  await openPart(
    <main>
      <Form />
    </main>,
  )
}

async function expectPlace(lat: string, lon: string) {
  await expect.element(form.lat).toHaveValue(lat)
  await expect.element(form.lon).toHaveValue(lon)
}

async function paste(text: string) {
  await navigator.clipboard.writeText(text)
  await userEvent.keyboard('{Control>}v{/Control}')
}

describe('the search for a town', () => {
  test('finds by name without accents; arrows choose and Enter fills in without sending', async () => {
    answerTowns()
    await openForm()
    await search.fill('york')
    await expect.element(said('3 towns found, the largest first')).toBeInTheDocument()
    await expect.element(search).toHaveAttribute('aria-expanded', 'true')
    await expect.element(town('York, United Kingdom')).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{ArrowUp}{ArrowUp}')
    await expect.element(town('York, PA, United States')).toHaveAttribute('aria-selected', 'true')
    expect(search.element().getAttribute('aria-activedescendant')).toBe(
      town('York, PA, United States').element().id,
    )
    await userEvent.keyboard('{Enter}')
    await expectPlace('39.963', '-76.728')
    await expect.element(search).toHaveValue('York, PA, United States')
    await expect.element(towns).not.toBeInTheDocument()
    await expect.element(said('filled in with York')).toBeInTheDocument()
    await search.fill('zurich')
    await town('Zürich, Switzerland').click()
    await expectPlace('47.367', '8.55')
    expect(form.alerts.length).toBe(0)
    expect(saved).toEqual([])
  })

  test('Enter sends the form once a town is chosen; a number that is changed is no town any more', async () => {
    answerTowns()
    await openForm()
    await form.label.fill('Harbour Pi')
    await search.fill('vienna')
    await town('Vienna, Austria').click()
    await form.lat.fill('48.3')
    await expect.element(search).toHaveValue('')
    await search.click()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => saved).toMatchObject([{ lat: 48.3, lon: 16.372, precision: 'km10' }])
  })

  test('coordinates in it are a place to choose', async () => {
    answerTowns()
    await openForm()
    await search.fill('52,52 13,405')
    await expect.element(said('1 place found')).toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    await expectPlace('52.52', '13.405')
    await expect.element(search).toHaveValue('52.52, 13.405')
  })

  test('says that it knows no such town, and names whose list it is', async () => {
    answerTowns()
    await openForm()
    await search.fill('atlantis')
    await expect.element(said('This town is not among')).toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    expect(form.alerts.length).toBe(0)
    const source = page.getByRole('link', { name: 'GeoNames' })
    await expect.element(source).toHaveAttribute('href', 'https://www.geonames.org/')
    await expect.element(search).toHaveAccessibleDescription(/GeoNames, CC BY 4\.0/)
  })

  test('a list that could not be loaded can be retried', async () => {
    answerTowns(503)
    await openForm()
    await search.fill('vienna')
    await expect.element(said('could not be loaded')).toBeInTheDocument()
    answerTowns()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(town('Vienna, Austria')).toBeVisible()
  })

  test('Escape closes the list, but not the dialog around it', async () => {
    answerTowns()
    const close = vi.fn<() => void>()
    await openPart(
      <Dialog open onOpenChange={close} title="Edit device">
        <Form />
      </Dialog>,
    )
    await search.fill('vienna')
    await expect.element(towns).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(towns).not.toBeInTheDocument()
    expect(close).not.toHaveBeenCalled()
    await userEvent.keyboard('{Escape}')
    expect(close).toHaveBeenCalledOnce()
  })

  test('passes axe with its list open', async () => {
    answerTowns()
    await openForm()
    await search.fill('york')
    await expect.element(towns).toBeVisible()
    await expectAccessible()
  })
})

describe('pasted text', () => {
  test('a pair of coordinates fills both numbers, whichever field it lands in', async () => {
    await openForm()
    await search.click()
    await paste('52.52, 13.405')
    await expectPlace('52.52', '13.405')
    await form.lat.click()
    await paste('33,868° S 151,209° E')
    await expectPlace('-33.868', '151.209')
    await form.lon.click()
    await paste('1; -2')
    await expectPlace('1', '-2')
    await expect.element(said('filled in with what was pasted')).toBeInTheDocument()
  })

  test('a number with a decimal comma is an error of its field', async () => {
    await openForm()
    await form.lat.click()
    await paste('52,52')
    await expect.element(form.lat).toHaveValue('52,52')
    await userEvent.tab()
    await expect.element(form.lat).toHaveAccessibleDescription(/use a point, not a comma/)
    await expect.element(form.lon).toHaveValue('')
  })
})

describe('Use my location', () => {
  test('fills in the browser’s place, rounded to six decimals, unless a place is typed meanwhile', async () => {
    standAt({ lat: -33.85681234, lon: 151.21531987, isSlow: true })
    holdTime()
    await openForm()
    await locate.click()
    await form.label.fill('Attic')
    await vi.advanceTimersByTimeAsync(10_000)
    await expectPlace('-33.856812', '151.21532')
    await expect.element(form.label).toHaveValue('Attic')
  })

  test.each([
    [1, 'did not allow'],
    [3, 'took more than 10 seconds'],
  ])('a refusal with code %i is said in words, and what was typed stays', async (code, words) => {
    standAt({ code })
    await openForm()
    await form.lat.fill('48')
    await locate.click()
    await expect.element(said(words)).toBeVisible()
    await expect.element(form.lat).toHaveValue('48')
  })

  test.each([
    ['typed', () => form.lat.fill('1')],
    ['pasted', () => search.click().then(() => paste('1, 0'))],
  ])('a place that was %s meanwhile is not overruled', async (_, set) => {
    standAt({ lat: 5, lon: 6, isSlow: true })
    holdTime()
    await openForm()
    await locate.click()
    await set()
    await vi.advanceTimersByTimeAsync(10_000)
    await form.label.fill('Attic')
    await expect.element(form.lat).toHaveValue('1')
  })
})

describe('how exactly others see it', () => {
  test('is preset to 10 km and shows what they will see; exactly only where one says so', async () => {
    await openForm()
    await form.enter({ label: 'Attic', lat: '52.5212', lon: '13.4064' })
    const km10 = others.getByRole('radio', { name: 'Within about 10 km' })
    await expect.element(km10).toBeChecked()
    await expect.element(others).toMatchTextContent('Others see 52.55, 13.49. About 10 km')
    await others.getByRole('radio', { name: 'Within about 1 km' }).click()
    await expect.element(others).toMatchTextContent('Others see 52.525, 13.412.')
    await others.getByRole('radio', { name: 'Exactly' }).click()
    await expect.element(others).toMatchTextContent('Others see 52.5212, 13.4064.')
    await form.isPrivate.click()
    await expect.element(others).toMatchTextContent('nobody else sees it')
    await submit.click()
    await expect.poll(() => saved).toMatchObject([{ precision: 'exact', visibility: 'private' }])
  })
})

/** A fake map: each press picks another place. */
function PressedMap({ place, onPick }: PlacePickerProps) {
  const [presses, setPresses] = useState(0)
  const press = () => {
    setPresses(presses + 1)
    onPick({ lat: 1.5, lon: presses })
  }
  return (
    <button type="button" onClick={press}>
      {place === undefined ? 'Nowhere' : `At ${place.lat}, ${place.lon}`}
    </button>
  )
}

describe('the map', () => {
  const button = page.getByRole('button', { name: 'Pick on a map' })

  test('where none is handed in, none is offered', async () => {
    await openForm()
    await expect.element(locate).toBeVisible()
    await expect.element(button).not.toBeInTheDocument()
  })

  test('a map that fails to load is reported; once open, it shows the place and sets it', async () => {
    const fetchMap = vi.fn<() => Promise<typeof PressedMap>>()
    fetchMap.mockRejectedValueOnce(new Error('offline')).mockResolvedValue(PressedMap)
    await openPart(
      <PlacePickerSource value={fetchMap}>
        <main>
          <Form />
        </main>
      </PlacePickerSource>,
    )
    await button.click()
    await expect.element(said('The map could not be loaded')).toBeVisible()
    await button.click()
    await page.getByRole('button', { name: 'Nowhere' }).click()
    await expectPlace('1.5', '0')
    await page.getByRole('button', { name: 'At 1.5, 0' }).click()
    await expectPlace('1.5', '1')
    await page.getByRole('button', { name: 'Close the map' }).click()
    await expect.element(button).toHaveAttribute('aria-expanded', 'false')
  })
})
