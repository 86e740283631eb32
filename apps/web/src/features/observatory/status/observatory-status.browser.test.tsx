import type { PublicDevice } from '@astropelago/contract/devices'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { holdTime } from '../../../test/emulation.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleNetwork } from '../nodes/testing/sample-network.ts'
import { ObservatoryStatus } from './observatory-status.tsx'

const status = page.getByRole('region', { name: 'Status of the network' })
const retry = status.getByRole('button', { name: 'Try again' })
const changes = () => status.element().querySelector('output[aria-live=polite]')
const noted = ['online', 'offline', 'unknown']
const counts = () =>
  noted.map((name) => {
    const entries = [...status.element().querySelectorAll('dl > div')]
    return entries.find((entry) => entry.textContent.includes(name))?.querySelector('dd')
      ?.textContent
  })

function device(id: string, deviceStatus: PublicDevice['status']): PublicDevice {
  return { id, label: id, lat: 1, lon: 2, status: deviceStatus, link: null }
}
const three = [device('a', 'online'), device('b', 'online'), device('c', 'unknown')]

async function openStatus(...[listed, total]: Parameters<typeof sampleNetwork>) {
  const network = sampleNetwork(listed, total)
  await openPart(<ObservatoryStatus store={network.store} source={network.source} />)
  return network
}

test('the devices are counted by status, in words and by marks', async () => {
  await openStatus([...three, device('d', 'offline')])
  await expect.poll(counts).toEqual(['2', '1', '1'])
  expect(status.element().querySelectorAll('dt svg')).toHaveLength(3)
  await expectAccessible()
})

test('changes reach the counts at once, and a polite line at most every 10 s', async () => {
  holdTime()
  const { list } = await openStatus(three)
  await expect.poll(counts).toEqual(['2', '0', '1'])
  expect(changes()).toHaveTextContent('')
  list([...three.slice(0, 2), device('c', 'online')])
  await expect.poll(counts).toEqual(['3', '0', '0'])
  await expect.poll(changes).toHaveTextContent('1 device came online')
  list(three.slice(0, 2))
  await expect.poll(counts).toEqual(['2', '0', '0'])
  expect(changes()).toHaveTextContent('1 device came online')
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(changes).toHaveTextContent('1 device was removed')
})

test('a list that can’t be loaded shows a quiet line with a retry that works', async () => {
  const { list } = await openStatus('failed')
  await expect.element(status).toMatchTextContent('The devices could not be loaded.')
  expect(counts()).toEqual(['–', '–', '–'])
  await expectAccessible()
  list(three)
  await expect.poll(counts).toEqual(['2', '0', '1'])
  await expect.element(status).not.toMatchTextContent('could not be loaded')
})

test('a list that can’t be updated stays with a warning until the next one arrives', async () => {
  const { list } = await openStatus(three)
  await expect.poll(counts).toEqual(['2', '0', '1'])
  list('failed')
  await expect.element(status).toMatchTextContent('so this list may be out of date')
  expect(counts()).toEqual(['2', '0', '1'])
  list(three)
  await expect.element(status).not.toMatchTextContent('so this list may be out of date')
})

test('the retry loads at once', async () => {
  const { source } = await openStatus('failed')
  const asked = vi.spyOn(source, 'retry')
  await retry.click()
  expect(asked).toHaveBeenCalledOnce()
})

test('without public devices it says how to connect one', async () => {
  await openStatus([])
  await expect.element(status).toMatchTextContent('No public devices yet.')
  expect(counts()).toEqual(['0', '0', '0'])
  await expect.element(status.getByRole('link')).toHaveAttribute('href', '/connect')
})

test('if more devices are public than listed, it says which ones are shown', async () => {
  await openStatus(three, 100_001)
  await expect
    .element(status)
    .toMatchTextContent('These are the 100,000 devices last seen, of 100,001 that are public.')
})
