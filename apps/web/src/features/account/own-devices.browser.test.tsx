import { listOwnDevices } from '@astropelago/contract/devices'
import { type Day, listDeviceStrips } from '@astropelago/contract/history'
import { describe, expect, test, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { holdTime } from '../../test/emulation.ts'
import { sampleDevice } from '../../test/samples.ts'
import { answerOwnDevices } from '../../devices/testing/answer-own-devices.ts'
import { deviceFormParts } from '../../devices/testing/device-form-parts.ts'
import { account, openAccount, openAccountAt } from './testing/open-account.tsx'

const { cell, register, rows } = account

describe('the lists', () => {
  test('without devices each says what to do next', async () => {
    await openAccount()
    await expect.element(account.public).toMatchTextContent('No public devices yet')
    await expect.element(account.private).toMatchTextContent('No private devices yet')
    const link = account.public.getByRole('link', { name: 'Connect a device' })
    await expect.element(link).toHaveAttribute('href', '/connect')
    await expect.poll(() => document.title).toBe('Account · Astropelago')
  })

  test('a row has the first 12 characters of the id, label, lat and lon with 3 decimals, status as a word, and a safe link', async () => {
    const link = 'https://harbour.example/chat'
    const label = '<b>Harbour</b> Pi'
    const device = sampleDevice({ label, lat: -33.86785, lon: 151.2, link })
    await openAccount(device)
    await expect.element(cell(1)).toHaveTextContent(device.id.slice(0, 12))
    await expect.element(cell(0)).toHaveTextContent(label)
    await expect.element(cell(2)).toHaveTextContent('-33.868')
    await expect.element(cell(3)).toHaveTextContent('151.200')
    await expect.element(cell(4)).toMatchTextContent('unknown')
    const anchor = cell(5).getByRole('link')
    await expect.element(anchor).toHaveAttribute('href', link)
    await expect.element(anchor).toHaveAttribute('rel', 'noopener noreferrer')
  })

  test('private devices stand apart from public ones, on a phone too', async () => {
    await openAccount(
      sampleDevice({ label: 'Lighthouse' }),
      sampleDevice({ label: 'Cellar', visibility: 'private' }),
    )
    await expect.element(cell(0)).toHaveTextContent('Lighthouse')
    await expect.element(cell(0, 'private')).toHaveTextContent('Cellar')
    expect(rows.public.length).toBe(2)
    expect(rows.private.length).toBe(2)
    await page.viewport(360, 800)
    await expect.element(account.public.getByRole('listitem')).toMatchTextContent('Lighthouse')
    await expect.element(account.private.getByRole('listitem')).toMatchTextContent('Cellar')
  })

  test('without the feed they are polled every 10 s, and a form keeps its input', async () => {
    const device = sampleDevice()
    holdTime()
    const { feed, listed, replace } = await openAccount(device)
    await expect.element(cell(4)).toMatchTextContent('unknown')
    feed.refuse()
    await expect.element(page.getByText('reconnecting').first()).toBeVisible()
    const form = deviceFormParts(register)
    const typed = { label: 'Half a name', lat: '1', lon: '', link: '' }
    await form.enter(typed)
    const before = listed.length
    const lastSeenAt = new Date().toISOString()
    for (const status of ['online', 'offline', 'online'] as const) {
      replace(device.id, { status, lastSeenAt })
      await vi.advanceTimersByTimeAsync(10_000)
      await expect.element(cell(4)).toMatchTextContent(status)
    }
    expect(listed.length).toBe(before + 3)
    expect(form.typed()).toEqual(typed)
  })

  test('a list that can’t be refetched stays, with an unobtrusive retry', async () => {
    const { feed, devices } = await openAccount(sampleDevice())
    await expect.element(cell(0)).toHaveTextContent('Lighthouse')
    // An error that isn't retried. The retries of a lost connection have their own test.
    answerApi(listOwnDevices, refused('too_large'))
    feed.tell({ type: 'device', payload: devices[0] ?? sampleDevice() })
    const line = page.getByText(/^Your devices could not be updated/)
    await expect.element(line).toBeVisible()
    await expect.element(cell(0)).toHaveTextContent('Lighthouse')
    expect(page.getByRole('alert').length).toBe(0)
    answerOwnDevices(...devices)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(line).not.toBeInTheDocument()
  })
})

describe('search and sort', () => {
  const search = page.getByRole('searchbox', { name: 'Search your devices' })
  const sort = page.getByRole('combobox', { name: 'Sort by' })
  test('come with the tenth device', async () => {
    await openAccount(...buoys(9))
    await expect.element(rows.public.nth(9)).toBeVisible()
    expect(search.length).toBe(0)
    await cleanup()
    await openAccount(...buoys(10))
    await expect.element(search).toBeVisible()
    await expectAccessible()
  })

  test('are in the address: typed they get there, and from there they are read', async () => {
    const cellar = sampleDevice({ label: 'Cellar', visibility: 'private' })
    await openAccount(...buoys(11), cellar)
    await search.fill('buoy 1')
    await expect.element(page.getByText('3 of 12 devices')).toBeVisible()
    await expect.element(account.private).toMatchTextContent('Nothing here matches your search.')
    await sort.selectOptions('label')
    await expect.poll(() => window.location.search).toBe('?q=buoy+1&sort=label')
    expect(labels()).toEqual(['Buoy 1', 'Buoy 10', 'Buoy 11'])
    await cleanup()
    await openAccountAt('/account?q=buoy+2', ...buoys(3))
    await expect.element(search).toHaveValue('buoy 2')
    await expect.poll(labels).toEqual(['Buoy 2'])
    await search.fill('')
    await expect.poll(() => window.location.search).toBe('')
    await expect.poll(labels).toHaveLength(3)
  })
})

test('on a phone each value has its heading, under the device’s own', async () => {
  await page.viewport(360, 800)
  const device = sampleDevice({ link: 'https://harbour.example/' })
  await openAccount(device)
  const card = account.public.getByRole('listitem')
  await expect.element(card.getByRole('heading', { level: 3 })).toHaveTextContent('Lighthouse')
  const terms = card.getByRole('term').elements()
  const values = card.getByRole('definition').elements()
  expect(terms.map((term, index) => [term.textContent, values[index]?.textContent])).toEqual([
    ['Status', 'unknownnever seen'],
    ['Link', expect.stringMatching(/^harbour\.example/)],
    ['Lat', '48.208'],
    ['Lon', '16.374'],
    ['ID', device.id.slice(0, 12)],
  ])
})

function buoys(howMany: number) {
  return Array.from({ length: howMany }, (_, index) => sampleDevice({ label: `Buoy ${index + 1}` }))
}

/** The labels in the public table, in order. */
function labels() {
  const listed = rows.public.elements().slice(1)
  return listed.map((row) => row.querySelector('td')?.textContent)
}

test('a device that is hidden by the operator says so and why, on a phone too', async () => {
  const hidden = { at: '2026-01-02T03:04:05.000Z', reason: 'It gives an address away.' }
  await openAccount(sampleDevice({ hidden, precision: 'km10' }))
  await expect.element(cell(0)).toMatchTextContent('Hidden from everybody else by the operator of')
  await expect.element(cell(0)).toMatchTextContent(hidden.reason)
  await expect.element(cell(0)).not.toMatchTextContent('Others see')
  await page.viewport(360, 800)
  const item = account.public.getByRole('listitem')
  await expect.element(item).toMatchTextContent(hidden.reason)
})

describe('the last 30 days', () => {
  const day = new Date().toISOString().slice(0, 10)
  const seen = { onlineS: 900, offlineS: 300, unobservedS: 0, flips: 2, status: 'online' as const }
  const text = 'Last 30 days: 75% online, offline 5 min, 2 changes'

  test('of each device stand beside its status, on a phone too', async () => {
    const device = sampleDevice({ status: 'online' })
    const silent = sampleDevice({ label: 'Cellar', visibility: 'private' })
    answerApi(listDeviceStrips, {
      status: 200,
      body: [
        { id: device.id, days: [{ day, ...seen }] },
        { id: silent.id, days: [] },
      ],
    })
    await openAccount(device, silent)
    await expect.element(cell(4).getByText(text)).toBeInTheDocument()
    await expect
      .element(cell(4, 'private').getByText('Last 30 days: Nothing known'))
      .toBeInTheDocument()
    await expectAccessible()
    await page.viewport(360, 800)
    await expect.element(account.public.getByRole('listitem').getByText(text)).toBeInTheDocument()
  })

  test('that can’t be had leave the device as it is, and no row jumps when they come', async () => {
    const device = sampleDevice({ status: 'online' })
    const strips = Promise.withResolvers<{ id: string; days: Day[] }[]>()
    answerApi(listDeviceStrips, async () => ({ status: 200, body: await strips.promise }))
    await openAccount(device)
    await expect.element(cell(4)).toMatchTextContent('online')
    const row = rows.public.nth(1)
    const heightPx = row.element().clientHeight
    strips.resolve([{ id: device.id, days: [{ day, ...seen }] }])
    await expect.element(cell(4).getByText(text)).toBeInTheDocument()
    expect(row.element().clientHeight).toBe(heightPx)
    await cleanup()
    answerApi(listDeviceStrips, refused('overloaded'))
    await openAccount(device)
    await expect.element(cell(4)).toMatchTextContent('online')
    expect(page.getByRole('alert').length).toBe(0)
  })
})
