import { labelMaxLength } from '@astropelago/contract/limits'
import { expect, test, vi } from 'vitest'
import { createSavedLocation, randomUuid } from './saved-location.ts'

const harbour = { label: 'Harbour Pi', lat: 54.323312, lon: 10.139444 }
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const keys = {
  id: 'astropelago.location-id.v1',
  label: 'astropelago.location-label.v1',
  place: 'astropelago.location-place.v1',
}

/** One browser's storage and its tabs, which notify each other of changes. */
function browser() {
  const entries = new Map<string, string>()
  const tabs = new Set<{ tell: (key: string | null) => void }>()
  let refused: 'nothing' | 'all' | 'place' = 'nothing'
  const refuse = (key: string) => {
    if (refused === 'all' || (refused === 'place' && key === keys.place)) {
      throw new DOMException('No room.', 'QuotaExceededError')
    }
  }
  const openTab = () => {
    const listeners = new Set<(event: Pick<StorageEvent, 'key'>) => void>()
    const tab = {
      tell: (key: string | null) => {
        for (const listener of listeners) listener({ key })
      },
    }
    tabs.add(tab)
    const tellOthers = (key: string) => {
      for (const other of tabs) if (other !== tab) other.tell(key)
    }
    return {
      listeners,
      location: createSavedLocation(() => ({
        localStorage: {
          getItem: (key) => {
            if (refused === 'all') refuse(key)
            return entries.get(key) ?? null
          },
          setItem: (key, value) => {
            refuse(key)
            entries.set(key, value)
            tellOthers(key)
          },
          removeItem: (key) => {
            if (refused === 'all') refuse(key)
            if (entries.delete(key)) tellOthers(key)
          },
        },
        addEventListener: (_type, listener) => void listeners.add(listener),
        removeEventListener: (_type, listener) => void listeners.delete(listener),
      })),
    }
  }
  return {
    entries,
    openTab,
    refuse: (what: 'nothing' | 'all' | 'place') => {
      refused = what
    },
    clearAll: () => {
      entries.clear()
      for (const tab of tabs) tab.tell(null)
    },
  }
}

test('the next visit reads what was saved, with the same id', () => {
  const { openTab, entries } = browser()
  const first = openTab().location
  expect(first.read()).toBeUndefined()
  const { location, isKept } = first.save(harbour)
  expect(isKept).toBe(true)
  expect(location).toEqual({ id: expect.stringMatching(uuid), ...harbour })
  expect([...entries.keys()].toSorted()).toEqual(Object.values(keys).toSorted())

  expect(openTab().location.read()).toEqual(location)
  const moved = first.save({ ...harbour, lat: 1 }).location
  expect(moved).toEqual({ ...location, lat: 1 })
})

test('clearing drops the label and the place, and keeps the id', () => {
  const { openTab, entries } = browser()
  const { location } = openTab()
  const { id } = location.save(harbour).location
  location.clear()
  expect(location.read()).toBeUndefined()
  expect([...entries.keys()]).toEqual([keys.id])
  expect(openTab().location.read()).toBeUndefined()
  expect(location.save(harbour).location.id).toBe(id)
})

test.each(['', '   ', '\u202e', '\n\t'])('a blank label (%j) becomes My Node', (label) => {
  const { location } = browser().openTab()
  expect(location.save({ ...harbour, label }).location.label).toBe('My Node')
})

test('a label is one that the server accepts too', () => {
  const { location } = browser().openTab()
  const save = (label: string) => location.save({ ...harbour, label }).location.label
  expect(save('  Cafe\u0301\tat \ud800sea ')).toBe('Café at \ufffdsea')
  expect(save('🛰'.repeat(labelMaxLength + 6))).toBe('🛰'.repeat(labelMaxLength))
})

test.each([
  ['no JSON', 'lat 1'],
  ['a latitude past the pole', '{"lat":90.1,"lon":0}'],
  ['a longitude past the date line', '{"lat":0,"lon":-180.5}'],
  ['no longitude', '{"lat":0}'],
  ['an infinite latitude', '{"lat":1e999,"lon":0}'],
])('an invalid stored place (%s) reads as none', (_name, text) => {
  const { openTab, entries } = browser()
  openTab().location.save(harbour)
  entries.set(keys.place, text)
  expect(openTab().location.read()).toBeUndefined()
})

test('a place whose label or id was lost gets the default label and a new id', () => {
  const { openTab, entries } = browser()
  const { id } = openTab().location.save(harbour).location
  entries.set(keys.label, '7')
  entries.set(keys.id, '"7"')
  const { location } = openTab()
  const read = location.read()
  expect(read).toEqual({ ...harbour, label: 'My Node', id: expect.stringMatching(uuid) })
  expect(read?.id).not.toBe(id)
  expect(location.read()).toBe(read)
  expect(openTab().location.read()).toEqual(read)
})

test('listeners are called on each change, and reading in between gives the same object', () => {
  const { location } = browser().openTab()
  const seen: (string | undefined)[] = []
  const stop = location.subscribe(() => seen.push(location.read()?.label))
  location.save(harbour)
  expect(location.read()).toBe(location.read())
  location.clear()
  stop()
  location.save(harbour)
  expect(seen).toEqual(['Harbour Pi', undefined])
})

test('other tabs follow, and are notified once per save', () => {
  const { openTab, clearAll } = browser()
  const here = openTab()
  const there = openTab()
  const told = vi.fn<() => void>()
  const stop = there.location.subscribe(told)
  const { location } = here.location.save(harbour)
  expect(there.location.read()).toEqual(location)
  expect(told).toHaveBeenCalledTimes(1)
  here.location.clear()
  expect(there.location.read()).toBeUndefined()
  here.location.save(harbour)
  clearAll()
  expect(there.location.read()).toBeUndefined()
  stop()
  expect(there.listeners.size).toBe(0)
})

test('a tab without listeners reads what another one has saved', () => {
  const { openTab } = browser()
  const here = openTab()
  here.location.read()
  const { location } = openTab().location.save(harbour)
  expect(here.location.read()).toEqual(location)
})

test('if storage refuses everything, a location lasts for the visit', () => {
  const { openTab, refuse } = browser()
  refuse('all')
  const { location } = openTab()
  const saved = location.save(harbour)
  expect(saved).toEqual({
    location: { id: expect.stringMatching(uuid), ...harbour },
    isKept: false,
  })
  expect(location.read()).toBe(saved.location)
  expect(location.save({ ...harbour, lat: 2 }).location.id).toBe(saved.location.id)
  expect(openTab().location.read()).toBeUndefined()
  location.clear()
  expect(location.read()).toBeUndefined()
})

test('if storage is full, the older place does not come back on the next visit', () => {
  const { openTab, refuse } = browser()
  const { location } = openTab()
  location.save(harbour)
  refuse('place')
  expect(location.save({ label: 'Attic', lat: 3, lon: 4 }).isKept).toBe(false)
  expect(location.read()).toMatchObject({ label: 'Attic', lat: 3, lon: 4 })
  expect(openTab().location.read()).toBeUndefined()

  refuse('nothing')
  expect(location.save(harbour).isKept).toBe(true)
  expect(openTab().location.read()).toEqual(location.read())
})

test('another tab’s save counts even if this tab’s own was refused', () => {
  const { openTab, refuse } = browser()
  const { location } = openTab()
  const stop = location.subscribe(() => undefined)
  refuse('all')
  location.save({ label: 'Attic', lat: 3, lon: 4 })
  refuse('nothing')
  const { location: other } = openTab().location.save(harbour)
  expect(location.read()).toEqual(other)
  stop()
})

const insecureContext = {
  getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
}
const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test.each([
  ['the browser’s own, where it has one', crypto],
  ['random bytes, where it is no secure context', insecureContext],
])('an id is a version 4 UUID from %s', (_name, source) => {
  const ids = Array.from({ length: 200 }, () => randomUuid(source))
  for (const id of ids) expect(id).toMatch(version4)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each([
  [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
  [0x00, '00000000-0000-4000-8000-000000000000'],
])('all bits except the six of RFC 9562 are random (%d)', (byte, id) => {
  expect(randomUuid({ getRandomValues: (bytes) => bytes.fill(byte) })).toBe(id)
})
