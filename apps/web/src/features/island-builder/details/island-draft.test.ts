import { describe, expect, test } from 'vitest'
import { sampleOwnIsland } from '../../../test/sample-island.ts'
import {
  draftOf,
  emptyDraft,
  readAbout,
  readIsland,
  readNewIsland,
  readPlace,
  remarkOn,
} from './island-draft.ts'

const notHere = { isRelayed: false, isHosted: false } as const
const typed = { ...emptyDraft, name: 'Harbour Books', kind: 'media' } as const

describe('the form of a new island', () => {
  test('a name and a kind are enough: the slug follows the name', () => {
    expect(readNewIsland(typed)).toEqual({
      body: {
        name: 'Harbour Books',
        kind: 'media',
        tagline: '',
        about: '',
        rules: '',
        address: null,
        carrier: null,
        isRelayed: false,
        isHosted: false,
        slug: 'harbour-books',
      },
    })
  })

  test('a typed slug no longer follows the name', () => {
    expect(readNewIsland({ ...typed, slug: 'books' })).toMatchObject({ body: { slug: 'books' } })
  })

  test('the link and its carrier are sent only if the place is a link', () => {
    const linked = { ...typed, address: 'https://books.example', carrier: 'pi' }
    expect(readNewIsland(linked)).toMatchObject({ body: { address: null, carrier: null } })
    expect(readNewIsland({ ...linked, way: 'link' })).toMatchObject({
      body: { address: 'https://books.example/', carrier: 'pi' },
    })
  })

  test('each missing field has an error', () => {
    expect(readNewIsland({ ...emptyDraft, way: 'link' })).toEqual({
      problems: {
        name: 'Give your island a name.',
        kind: 'Choose what your island is.',
        slug: 'Give your island an address.',
        address: 'Enter the link, or choose “Nowhere yet”.',
      },
    })
  })

  test('the contract’s own errors are shown', () => {
    const reading = readNewIsland({
      ...typed,
      name: 'x'.repeat(65),
      tagline: 'x'.repeat(121),
      slug: 'a',
      way: 'link',
      address: 'javascript:alert(1)',
    })
    expect(reading).toEqual({
      problems: {
        name: expect.stringContaining('64 characters'),
        tagline: expect.stringContaining('120 characters'),
        slug: expect.stringContaining('3 to 32'),
        address: expect.stringContaining('http or https'),
      },
    })
  })
})

test('an existing island round-trips through the form', () => {
  const island = sampleOwnIsland({
    slug: 'harbour-books-x7k2p9',
    address: 'https://books.example/',
    carrier: { id: 'pi', label: 'Harbour Pi' },
  })
  const draft = draftOf(island)
  expect(draft.slug).toBe('harbour-books')
  const { name, kind, tagline, about, rules, address } = island
  expect(readIsland(draft)).toEqual({
    body: { name, kind, tagline, about, rules, address, carrier: 'pi', ...notHere },
  })
})

test('a relayed island round-trips without its former link', () => {
  const relayed = { isRelayed: true, address: null, carrier: { id: 'pi', label: 'Harbour Pi' } }
  const draft = draftOf(sampleOwnIsland(relayed))
  expect(draft.way).toBe('relay')
  const read = { address: null, carrier: 'pi', isRelayed: true, isHosted: false }
  expect(readPlace(draft)).toEqual({ body: read })
  expect(readPlace({ ...draft, address: 'https://books.example' })).toMatchObject({ body: read })
  expect(readPlace({ ...draft, way: 'none' })).toMatchObject({
    body: { address: null, carrier: null, ...notHere },
  })
})

test('an island with pages here round-trips without a link and a device', () => {
  const draft = draftOf(sampleOwnIsland({ isHosted: true, address: null }))
  expect(draft.way).toBe('hosted')
  expect(readPlace({ ...draft, address: 'https://books.example', carrier: 'pi' })).toEqual({
    body: { address: null, carrier: null, isRelayed: false, isHosted: true },
  })
})

test('the relay requires a device', () => {
  const draft = { ...typed, way: 'relay' } as const
  const problems = { carrier: 'Choose the device that the island runs on.' }
  for (const read of [readNewIsland, readIsland, readPlace]) {
    expect(read(draft)).toEqual({ problems })
  }
  expect(readAbout(draft)).toHaveProperty('body')
})

test('each form sends only its own fields', () => {
  const draft = { ...typed, name: '', way: 'link', address: 'https://books.example' } as const
  expect(readAbout(draft)).toEqual({
    problems: { name: 'Give your island a name.' },
  })
  expect(readPlace(draft)).toEqual({
    body: { address: 'https://books.example/', carrier: null, ...notHere },
  })
})

test('a link has a remark about who can open it', () => {
  expect(remarkOn('address', 'http://192.168.1.20')).toContain('same network')
  expect(remarkOn('address', 'https://books.example')).toBeUndefined()
  expect(remarkOn('tagline', 'http://192.168.1.20')).toBeUndefined()
})
