import type { PublicDevice } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { openPart } from '../../test/open-screen.tsx'
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

async function openSatellites(listed: readonly PublicDevice[] | 'failed') {
  listInWorker(listed)
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
