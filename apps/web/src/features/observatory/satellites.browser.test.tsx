import type { PublicDevice } from '@astropelago/contract/devices'
import type { NeighbourDevice } from '@astropelago/contract/neighbours'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { openPart } from '../../test/open-screen.tsx'
import { answerNeighbours, sampleNeighbour } from '../../test/sample-neighbour.ts'
import { listInWorker } from './nodes/testing/sample-network.ts'
import { Satellites } from './satellites.tsx'

const devices = [
  device('mast', 'Harbour mast', 'online'),
  device('attic', 'Attic relay', 'offline'),
  device('buoy', 'Weather buoy', 'unknown'),
]

const grid = page.getByRole('grid', { name: 'Devices' })
const labels = () =>
  [...grid.element().querySelectorAll('tbody tr')].map(
    (element) => element.querySelectorAll('td')[0]?.textContent,
  )

function device(id: string, label: string, status: PublicDevice['status']): PublicDevice {
  return { id, label, lat: 1, lon: 2, status, link: null }
}

async function openSatellites(
  listed: readonly PublicDevice[] | 'failed',
  ofNeighbours: readonly NeighbourDevice[] = [],
) {
  listInWorker(listed, ofNeighbours)
  await openPart(<Satellites />, { path: '/discover/satellites' })
}

test('every public device is listed and counted, and a search narrows the list', async () => {
  await openSatellites(devices)
  await expect.poll(labels).toEqual(['Attic relay', 'Harbour mast', 'Weather buoy'])
  await expect
    .element(page.getByRole('region', { name: 'Status of the network' }))
    .toMatchTextContent(/1\s*online|online\s*1/)
  await expectAccessible()
  await page.getByRole('searchbox').fill('buoy')
  await expect.poll(labels).toEqual(['Weather buoy'])
})

test('selecting a device opens it in the Observatory', async () => {
  await openSatellites(devices)
  await grid.getByText('Harbour mast').click()
  await expect
    .poll(() => window.location.pathname + window.location.search)
    .toBe('/observatory?device=mast')
})

test('Enter on a row opens the device too', async () => {
  await openSatellites(devices)
  await expect.poll(() => labels().length).toBe(3)
  const [first] = grid.element().querySelectorAll<HTMLElement>('tbody tr')
  first?.focus()
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => window.location.pathname + window.location.search)
    .toBe('/observatory?device=attic')
})

test('an empty list says so, and what to do next', async () => {
  await openSatellites([])
  await expect.element(page.getByText('No public devices yet')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Connect a device' }).first()).toBeVisible()
})

test('a list that could not be loaded can be retried', async () => {
  await openSatellites('failed')
  await expect.element(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible()
})

describe('neighbours', () => {
  const from = page.getByRole('combobox', { name: 'From which installation' })
  const counts = page.getByRole('region', { name: 'Status of the network' })
  const light = {
    id: 'reef:light',
    label: 'Coral light',
    lat: 3,
    lon: 4,
    status: 'online',
  } as const
  const far = { ...light, id: 'far:light', label: 'Far light' }

  async function openWithNeighbours() {
    answerNeighbours(sampleNeighbour(), sampleNeighbour({ id: 'far', name: 'Far Sky' }))
    await openSatellites(devices, [light, far])
    await expect
      .poll(labels)
      .toEqual([
        'Attic relay',
        'Coral lightReef Sky',
        'Far lightFar Sky',
        'Harbour mast',
        'Weather buoy',
      ])
  }

  test('their devices say whose they are, lead there, and are in no count', async () => {
    await openWithNeighbours()
    await expect.element(counts).toMatchTextContent(/1\s*online|online\s*1/)
    await expect.element(page.getByText('3 devices · 2 devices of neighbours')).toBeVisible()
    await expect
      .element(grid.getByRole('link', { name: /reef\.example/ }).first())
      .toHaveAttribute('href', 'https://reef.example/devices/light')
    await expect.element(grid.getByText('reef.example', { exact: true }).first()).toBeVisible()
    await expect.element(grid.getByRole('link', { name: /Page of Coral/ })).not.toBeInTheDocument()
    await expectAccessible()
  })

  test('a filter shows one of them, or this installation only', async () => {
    await openWithNeighbours()
    await from.selectOptions('Far Sky')
    await expect.poll(labels).toEqual(['Far lightFar Sky'])
    await expect.element(page.getByText('1 device of neighbours', { exact: true })).toBeVisible()
    await from.selectOptions('From here')
    await expect.poll(labels).toEqual(['Attic relay', 'Harbour mast', 'Weather buoy'])
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => labels().length).toBe(5)
  })

  test('one of them, or all, can be switched off in this browser', async () => {
    await openWithNeighbours()
    const choose = page.getByRole('button', { name: 'Choose neighbours' })
    await choose.click()
    const dialog = page.getByRole('dialog', { name: 'Neighbours' })
    await expectAccessible()
    await dialog.getByRole('checkbox', { name: 'Far Sky' }).click()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => labels().length).toBe(4)
    await choose.click()
    await dialog.getByRole('checkbox', { name: 'Show what neighbours share' }).click()
    await userEvent.keyboard('{Escape}')
    await expect.poll(labels).toEqual(['Attic relay', 'Harbour mast', 'Weather buoy'])
    await expect.element(from).not.toBeInTheDocument()
    await expect.element(choose).toBeVisible()
  })

  test('without neighbours there is no trace of them', async () => {
    const asked = answerNeighbours()
    await openSatellites(devices)
    await expect.poll(() => labels().length).toBe(3)
    await expect.poll(() => asked.length).toBe(1)
    expect(document.body.textContent).not.toMatch(/neighbour/i)
  })
})
