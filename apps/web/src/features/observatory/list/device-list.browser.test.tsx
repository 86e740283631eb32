import type { PublicDevice } from '@astropelago/contract/devices'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleOnDesktop } from '../../../test/accessibility.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleIsland } from '../../../test/sample-island.ts'
import { carryIslands } from '../islands/testing/carry-islands.ts'
import { sampleNetwork } from '../nodes/testing/sample-network.ts'
import type { Sight } from '../selection.ts'
import { DeviceList } from './device-list.tsx'
import { defaultQuery, type QueryPreferences } from '../query/node-query.ts'
import { QueryBar } from '../query/query-bar.tsx'
import { useShownNodes } from '../query/shown-nodes.ts'

const zurich: PublicDevice = {
  id: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  label: 'Zürich Lighthouse',
  lat: 47.376_888,
  lon: 8.541_694,
  status: 'online',
  link: 'https://light.example/',
}
const south: PublicDevice = {
  id: 'ffffffff-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
  label: 'zz Last of all',
  lat: -89.5,
  lon: -0.0001,
  status: 'unknown',
  link: null,
}
const statuses = ['online', 'offline', 'offline', 'unknown'] as const
const attics = Array.from({ length: 300 }, (_, index): PublicDevice => {
  const link = index % 2 === 0 ? `https://attic.example/${index}` : null
  const status = statuses[index % statuses.length] ?? 'unknown'
  const place = { lat: index / 10, lon: -index / 3 }
  return { id: `attic-${index}`, label: `Attic ${index}`, ...place, status, link }
})

const grid = page.getByRole('grid', { name: 'Devices' })
const cells = grid.getByRole('gridcell')
const search = page.getByRole('searchbox')
const statusFilter = page.getByRole('combobox', { name: 'Status' })
const count = page.getByRole('status')
const header = (name: string) => grid.getByRole('columnheader', { name })
const sortButton = (name: string) => grid.getByRole('button', { name, exact: true })
const headers = () => grid.getByRole('columnheader').elements()
const textOf = ({ textContent }: Element) => textContent
const visibleTextOf = (element: Element) =>
  element instanceof HTMLElement ? element.innerText : ''
const rowCount = () => grid.element().querySelectorAll('tbody tr').length

/** A row by its place in the list, from 1. Only rows in view exist. */
function row(place: number): HTMLElement {
  const element = grid.element().querySelector(`tbody tr[aria-rowindex="${place + 1}"]`)
  if (!(element instanceof HTMLElement)) throw new Error(`Row ${place} is not there`)
  return element
}

/** A cell of the first row. */
const cell = (index: number) => row(1).querySelectorAll('td')[index]?.textContent
const placeInFocus = () => Number(document.activeElement?.getAttribute('aria-rowindex')) - 1

function scrollTo(topPx: number): void {
  const scroller = grid.element().parentElement
  if (scroller !== null) scroller.scrollTop = topPx
}

interface QueriedListProps extends Omit<ReturnType<typeof sampleNetwork>, 'list'> {
  readonly preferences: QueryPreferences
  readonly onQuery: (left: QueryPreferences) => void
}

/** The list with its search and filter. */
function QueriedList({ store, source, selection, preferences, onQuery }: QueriedListProps) {
  const { shown, query, isLeftOver, change } = useShownNodes(
    store,
    source,
    preferences,
    onQuery,
    [],
  )
  return (
    <>
      <QueryBar {...{ shown, query, isLeftOver }} onChange={change} />
      <div className="h-[32rem]">
        <DeviceList {...{ source, shown, selection, query }} onQuery={change} />
      </div>
    </>
  )
}

interface Visit {
  readonly path?: string
  readonly preferences?: QueryPreferences
}

/** Opens the list of these devices. Rows in view are in the grid. */
async function openList(
  listed: readonly PublicDevice[] | 'failed' = [zurich, south, ...attics],
  { path = '/observatory', preferences = defaultQuery }: Visit = {},
) {
  const network = sampleNetwork(listed)
  const { selection } = network
  const sights: Sight[] = []
  selection.onSight((sight) => sights.push(sight))
  const left: QueryPreferences[] = []
  const onQuery = (query: QueryPreferences) => void left.push(query)
  await openPart(<QueriedList {...network} {...{ preferences, onQuery }} />, { path })
  return { ...network, sights, left }
}

describe('The list of devices', () => {
  test('has the columns of the Account tables: label, the id’s first 12 characters, lat and lon with 3 decimals, status, link', async () => {
    await openList()
    await expect
      .poll(() => headers().map(visibleTextOf))
      .toEqual(['Label', 'ID', 'Lat', 'Lon', 'Status', 'Link'])
    await search.fill('zürich')
    await expect
      .poll(() => cells.elements().map(textOf))
      .toEqual([
        'Zürich Lighthouse',
        '0a1b2c3d-4e5',
        '47.377',
        '8.542',
        'online',
        expect.stringMatching(/^light\.example/),
      ])
    const link = cells.getByRole('link', { name: /^light\.example/ })
    await expect.element(link).toHaveAttribute('href', 'https://light.example/')
    await expect.element(link).toHaveAttribute('target', '_blank')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
    await search.fill('last of all')
    await expect
      .poll(() => cells.elements().map(textOf))
      .toEqual([
        'zz Last of all',
        'ffffffff-4e5',
        '-89.500',
        '0.000',
        'unknown',
        expect.stringMatching(/No link$/),
      ])
    await expectAccessibleOnDesktop()
  })

  test('finds ids, and labels regardless of case and accents, and counts the results', async () => {
    await openList()
    await expect.element(count).toHaveTextContent('302 devices')
    for (const text of ['zurich', '  ZÜRICH', '0a1b2c3d-4e5f', '0A1B']) {
      await search.fill(text)
      await expect.element(count).toHaveTextContent('1 of 302 devices')
      expect(row(1)).toMatchTextContent('Zürich Lighthouse')
    }
    await search.fill('nothing is called so')
    await expect.element(page.getByText('No matching devices')).toBeVisible()
    await expect.element(count).toHaveTextContent('0 of 302 devices')
    await expectAccessible()
    await page.getByRole('button', { name: 'Show all devices' }).click()
    await expect.element(search).toHaveValue('')
    await expect.element(count).toHaveTextContent('302 devices')
  })

  test('filters and sorts, announces the order, and saves both', async () => {
    const { left } = await openList()
    await expect.element(header('Label')).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(() => cell(0)).toBe('Attic 0')
    await sortButton('Label').click()
    await expect.element(header('Label')).toHaveAttribute('aria-sort', 'descending')
    await expect.poll(() => cell(0)).toBe('zz Last of all')
    await sortButton('Lat').click()
    await expect.element(header('Lat')).toHaveAttribute('aria-sort', 'ascending')
    await expect.element(header('Label')).toHaveAttribute('aria-sort', 'none')
    await expect.poll(() => cell(2)).toBe('-89.500')
    await sortButton('Lon').click()
    await expect.poll(() => cell(3)).toBe('-99.667')
    await sortButton('Status').click()
    await expect.poll(() => cell(4)).toBe('online')
    await sortButton('Status').click()
    await expect.poll(() => cell(4)).toBe('unknown')
    await statusFilter.selectOptions('Offline')
    await expect.element(count).toHaveTextContent('150 of 302 devices')
    expect(cell(4)).toBe('offline')
    await expect.element(grid).toHaveAttribute('aria-rowcount', '151')
    expect(left.at(-1)).toEqual({ status: 'offline', sort: 'status', isDescending: true })
  })

  test('shows the query in the address, or else the saved one', async () => {
    const preferences = { status: 'online', sort: 'lat', isDescending: true } as const
    await openList(undefined, { path: '/?q=zurich&sort=lon&dir=desc', preferences })
    await expect.element(search).toHaveValue('zurich')
    await expect.element(statusFilter).toHaveValue('all')
    await expect.element(count).toHaveTextContent('1 of 302 devices')
    await expect.element(header('Lon')).toHaveAttribute('aria-sort', 'descending')
  })

  test('opens as the user left it if the address has no query', async () => {
    const preferences = { status: 'online', sort: 'lat', isDescending: true } as const
    await openList(undefined, { preferences })
    await expect.element(statusFilter).toHaveValue('online')
    await expect.element(header('Lat')).toHaveAttribute('aria-sort', 'descending')
    await expect
      .element(count)
      .toHaveTextContent('76 of 302 devices, by the filter of your last visit')
    await expect.poll(() => window.location.search).toBe('?status=online&sort=lat&dir=desc')
    await page.getByRole('button', { name: 'Show all', exact: true }).click()
    await expect.element(count).toHaveTextContent('302 devices')
    expect(count).not.toMatchTextContent('your last visit')
  })

  test('ignores invalid values in the address', async () => {
    await openList(undefined, { path: '/?status=asleep&sort=owner' })
    await expect.element(statusFilter).toHaveValue('all')
    await expect.element(count).toHaveTextContent('302 devices')
  })

  test('renders only the rows in view, each with its position among all', async () => {
    await openList()
    await expect.element(grid).toHaveAttribute('aria-rowcount', '303')
    await expect.poll(() => row(1)).toBeVisible()
    expect(rowCount()).toBeLessThan(30)
    scrollTo(1e6)
    await expect.poll(() => row(302)).toBeInViewport()
    expect(rowCount()).toBeLessThan(30)
    expect(row(302)).toMatchTextContent('zz Last of all')
  })

  test('follows devices that are added, changed and removed while it is open', async () => {
    const { list } = await openList([zurich])
    await expect.element(count).toHaveTextContent('1 device')
    list([{ ...zurich, status: 'offline' }, south])
    await expect.element(count).toHaveTextContent('2 devices')
    expect(row(1)).toMatchTextContent('offline')
    list([south])
    await expect.element(count).toHaveTextContent('1 device')
    expect(row(1)).toMatchTextContent('zz Last of all')
  })
})

describe('The keys of the list', () => {
  test('arrows, Home, End, PageUp and PageDown move the focus; Enter selects and turns the globe and the map', async () => {
    const { sights, selection } = await openList()
    await expect.poll(() => row(1)).toBeVisible()
    sortButton('Status').element().focus()
    await userEvent.tab()
    expect(placeInFocus()).toBe(1)
    const steps = [
      ['ArrowDown', 2],
      ['ArrowDown', 3],
      ['ArrowUp', 2],
      ['End', 302],
      ['ArrowDown', 302],
      ['Home', 1],
      ['ArrowUp', 1],
    ] as const
    for (const [key, place] of steps) {
      await userEvent.keyboard(`{${key}}`)
      await expect.poll(placeInFocus, { message: key }).toBe(place)
      await expect.poll(() => row(place), { message: key }).toBeInViewport({ ratio: 0.9 })
    }
    await userEvent.keyboard('{PageDown}')
    await expect.poll(placeInFocus).toBeGreaterThan(5)
    await userEvent.keyboard('{PageUp}')
    await expect.poll(placeInFocus).toBe(1)

    await userEvent.keyboard('{End}')
    await expect.poll(placeInFocus).toBe(302)
    expect(row(302)).toHaveAttribute('aria-selected', 'false')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => row(302)).toHaveAttribute('aria-selected', 'true')
    expect(grid.element().querySelectorAll('[aria-selected=true]')).toHaveLength(1)
    expect(selection.selectedId).toBe(south.id)
    expect(sights).toEqual([{ latDeg: south.lat, lonDeg: south.lon, spanDeg: 20 }])
  })

  test('the focused row keeps the focus while the list scrolls, and Tab reaches only its link', async () => {
    await openList()
    await expect.poll(() => row(3)).toBeVisible()
    row(3).focus()
    await userEvent.tab()
    expect(row(3).querySelector('a')).toHaveFocus()
    await userEvent.tab({ shift: true })
    expect(placeInFocus()).toBe(3)
    scrollTo(5000)
    await expect.poll(() => row(110)).toBeVisible()
    expect(placeInFocus()).toBe(3)
    await userEvent.keyboard('{ArrowDown}')
    await expect.poll(placeInFocus).toBe(4)
    await expect.poll(() => row(4)).toBeInViewport()
  })

  test('a row leads to its device’s page, by pointer and by keyboard, without selecting it', async () => {
    const { selection } = await openList([zurich])
    const toPage = grid.getByRole('link', { name: `Page of ${zurich.label}` })
    await expect.element(toPage).toHaveAttribute('href', `/devices/${zurich.id}`)
    row(1).focus()
    await userEvent.tab()
    await userEvent.tab()
    await expect.element(toPage).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => window.location.pathname).toBe(`/devices/${zurich.id}`)
    expect(selection.selectedId).toBeUndefined()
    await toPage.click()
    expect(selection.selectedId).toBeUndefined()
  })

  test('a click selects a row; a device selected elsewhere is selected here and scrolled into view', async () => {
    const { selection, sights } = await openList()
    await expect.poll(() => row(2)).toBeVisible()
    await userEvent.click(row(2), { position: { x: 20, y: 20 } })
    expect(selection.selectedId).toBe('attic-1')
    expect(sights).toMatchObject([{ latDeg: 0.1 }])
    expect(row(2)).toHaveAttribute('aria-selected', 'true')
    selection.select(south.id)
    await expect.poll(() => row(302)).toHaveAttribute('aria-selected', 'true')
    await expect.poll(() => row(302)).toBeInViewport({ ratio: 0.9 })
  })
})

test('a device that carries an island links to it and to its own link', async () => {
  await carryIslands(sampleIsland({ deviceId: zurich.id }))
  await openList([zurich, south])
  const link = grid.getByRole('link', { name: /^Island Harbour Tales\s*, open$/ })
  await expect.element(link).toHaveAttribute('href', '/islands/harbour-tales')
  expect(grid.getByRole('link', { name: /^(Island|light\.example)/ }).elements()).toHaveLength(2)
  expect(link.element().querySelectorAll('.stroke-island')).toHaveLength(2)
})

describe('Without rows', () => {
  test('an empty list says what to do next', async () => {
    await openList([])
    await expect.element(page.getByText('No public devices yet')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Connect a device' }))
      .toHaveAttribute('href', '/connect')
    await expectAccessible()
  })

  test('a failed list shows a message until the next one arrives', async () => {
    const { list } = await openList('failed')
    await expect.element(page.getByText('The devices could not be loaded.')).toBeVisible()
    list([zurich])
    await expect.element(count).toHaveTextContent('1 device')
    await expect.poll(() => row(1)).toBeVisible()
  })
})

test('on a phone each row shows all six facts without scrolling sideways', async () => {
  await openList([zurich, south])
  await page.viewport(360, 800)
  await expect.poll(() => row(2)).toBeVisible()
  expect(cells.length).toBe(12)
  for (const element of cells.elements()) {
    await expect.poll(() => element).toBeInViewport({ ratio: 0.99 })
    expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth)
  }
  const scroller = grid.element().parentElement
  expect(scroller?.scrollWidth).toBe(scroller?.clientWidth)
  await expectAccessible()
})
