import type { Place } from '@astropelago/contract/place'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerTowns } from '../../../lib/towns/testing/answer-towns.ts'
import { expectAccessible } from '../../../test/accessibility.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { PlacePicker } from './place-picker.tsx'

const vienna = { lat: 48.208, lon: 16.372 }
const map = page.getByRole('application', { name: 'Map to pick a place on' })
const status = page.getByRole('status')
const picks: Place[] = []
const last = () => picks.at(-1) ?? { lat: Number.NaN, lon: Number.NaN }

beforeEach(() => {
  picks.length = 0
  answerTowns()
})

function Picker({ start }: { start?: Place | undefined }) {
  const [place, setPlace] = useState(start)
  const pick = (picked: Place) => {
    picks.push(picked)
    setPlace(picked)
  }
  return (
    <main>
      <PlacePicker place={place} onPick={pick} />
      <button type="button" onClick={() => setPlace({ lat: 69.649, lon: 18.957 })}>
        Go to Tromsø
      </button>
    </main>
  )
}

async function open(start?: Place) {
  await openPart(<Picker start={start} />)
  await expect.element(map).toBeVisible()
}

/** The colour at a point of the map, as red, green and blue. */
function colorAt(xShare: number, yShare: number): number[] {
  const canvas = map.element().querySelector('canvas')
  if (canvas === null) throw new Error('Nothing is drawn')
  const { width, height } = canvas
  const pixel = canvas
    .getContext('2d')
    ?.getImageData(Math.round(width * xShare), Math.round(height * yShare), 1, 1)
  return [...(pixel?.data.slice(0, 3) ?? [])]
}

test('arrow keys move the place, with Shift in small steps, and the nearest town is shown', async () => {
  await open(vienna)
  await expect.element(status).toHaveTextContent('48.208, 16.372, near Vienna')
  map.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => picks.length).toBe(1)
  expect(last().lat).toBeCloseTo(vienna.lat, 1)
  expect(last().lon).toBeGreaterThan(vienna.lon + 0.3)
  await userEvent.keyboard('{Shift>}{ArrowUp}{/Shift}')
  await expect.poll(() => picks.length).toBe(2)
  const step = last().lat - vienna.lat
  expect(step).toBeGreaterThan(0.01)
  expect(step).toBeLessThan(0.1)
})

test('zooming keeps the place', async () => {
  await open(vienna)
  map.element().focus()
  await userEvent.keyboard('+++')
  const zoomIn = page.getByRole('button', { name: 'Zoom map in' })
  await expect.element(zoomIn).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Show the whole world' }).click()
  await expect.element(zoomIn).not.toHaveAttribute('aria-disabled')
  await expect.element(status).toHaveTextContent('48.208, 16.372, near Vienna')
  expect(picks).toEqual([])
})

test('a press sets the place under the pointer', async () => {
  await open()
  await expect.element(status).toHaveTextContent('Press the map, drag it, or use the arrow keys.')
  const { width, height } = map.element().getBoundingClientRect()
  await map.click({ position: { x: width / 2 + 100, y: height / 2 + 20 } })
  await expect.poll(() => picks.length).toBe(1)
  // The whole world is as wide as the map.
  expect(last().lon).toBeCloseTo((100 / width) * 360, 0)
  expect(last().lat).toBeLessThan(20)
})

test('a drag moves the map under the pin, and sets the place at its end', async () => {
  await open(vienna)
  const { left, top, width, height } = map.element().getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const send = (type: string, clientX: number) =>
    map.element().dispatchEvent(
      new PointerEvent(type, {
        pointerId: 1,
        isPrimary: true,
        bubbles: true,
        clientX,
        clientY: y,
      }),
    )
  // Synthetic pointers can't be captured.
  map.element().setPointerCapture = () => undefined
  send('pointerdown', x)
  send('pointermove', x + 60)
  expect(picks).toEqual([])
  send('pointerup', x + 60)
  await expect.poll(() => picks.length).toBe(1)
  expect(last().lon).toBeLessThan(vienna.lon - 0.5)
  expect(last().lat).toBeCloseTo(vienna.lat, 1)
})

test('a place that is set elsewhere is shown', async () => {
  await open(vienna)
  await page.getByRole('button', { name: 'Go to Tromsø' }).click()
  await expect.element(status).toHaveTextContent('69.649, 18.957, near Tromsø')
  expect(picks).toEqual([])
})

test('land and sea are drawn without requests to other sites', async () => {
  await open({ lat: 47, lon: 2 })
  // France is in the middle, the Bay of Biscay to the west.
  await expect.poll(() => colorAt(0.5, 0.75)).toEqual([0x13, 0x1b, 0x2e])
  expect(colorAt(0.2, 0.55)).toEqual([0x07, 0x0b, 0x16])
  await expectAccessible()
})
