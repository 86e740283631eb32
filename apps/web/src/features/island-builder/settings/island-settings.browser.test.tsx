import { getRelay } from '@astropelago/contract/island-relay'
import { listActivity } from '@astropelago/contract/island-log'
import {
  listJoinedIslands,
  listOwnIslands,
  pauseIsland,
  renameSlug,
  updateIsland,
} from '@astropelago/contract/islands'
import { listRooms } from '@astropelago/contract/rooms'
import { OwnMessage, streamOwn } from '@astropelago/contract/streams'
import { describe, expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { answerStream } from '../../../test/answer-stream.ts'
import { answerRelay, sampleRelayAddress } from '../../../test/answer-relay.ts'
import { openScreen } from '../../../test/open-screen.tsx'
import { sampleDraft, sampleOwnIsland } from '../../../test/sample-island.ts'
import { sampleDevice, sampleUser } from '../../../test/samples.ts'
import { answerOwnDevices } from '../../../devices/testing/answer-own-devices.ts'
import { pictureChoices } from '../picture/picture-choices.ts'
import { answerOwnIslands, takenSentence, takenSlug } from '../testing/answer-islands.ts'
import { answerPeople, samplePerson } from '../testing/answer-people.ts'

const card = (name: string) => page.getByRole('region', { name, exact: true })
const partLink = (name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name })
const partsOfPages = /^(Pages|Rooms|Storage and model)$/
const connectionFailed = 'The connection failed. Check it and try again.'

async function openSettings(slug: string, part?: string) {
  answerOwnDevices(sampleDevice({ label: 'Harbour Pi' }), sampleDevice({ label: 'Attic' }))
  const stream = answerStream(streamOwn, OwnMessage)
  const subPath = part === undefined ? '' : `/${part}`
  await openScreen(`/islands/${slug}/settings${subPath}`, { user: sampleUser })
  return stream
}

const island = () => sampleOwnIsland({ id: 'one', slug: 'harbour-tales', name: 'Harbour Tales' })

describe('the settings of an island', () => {
  test('give each part a path, and count waiting requests', async () => {
    answerPeople({ requests: [samplePerson('Mira')] })
    answerOwnIslands({ ...island(), requestCount: 1 })
    await openSettings('harbour-tales')
    await expect.element(card('Details')).toBeVisible()
    await expect.element(partLink('Details')).toHaveAttribute('aria-current', 'page')
    await partLink('Requests 1 waiting').click()
    await expect.element(card('Requests')).toBeVisible()
    expect(window.location.pathname).toBe('/islands/harbour-tales/settings/requests')
    await expect.poll(() => document.title).toMatch('Requests · Harbour Tales')
    window.history.back()
    await expect.element(card('Details')).toBeVisible()
  })

  test('show and count a new request at once', async () => {
    const { islands } = answerOwnIslands(island())
    answerPeople()
    const stream = await openSettings('harbour-tales', 'requests')
    await expect.element(page.getByText('Nobody is waiting')).toBeVisible()
    await expect.poll(() => stream.open()).toBe(1)
    answerPeople({ requests: [samplePerson('Mira')] })
    const [own] = islands
    if (own) islands.splice(0, 1, { ...own, requestCount: 1 })
    stream.tell({ type: 'island-requests', payload: { id: own?.id ?? '' } })
    await expect.element(page.getByRole('button', { name: 'Let Mira in' })).toBeVisible()
    await expect.element(partLink('Requests 1 waiting')).toBeVisible()
  })

  test('are found by an old slug too', async () => {
    const until = '2099-01-02T03:04:05.000Z'
    answerOwnIslands({ ...island(), oldSlugs: [{ slug: 'old-tales', until }] })
    await openSettings('old-tales', 'picture')
    await expect.element(card('Its address')).toMatchTextContent('/islands/old-tales leads here')
  })

  test('don’t exist for islands of other users', async () => {
    answerOwnIslands(island())
    await openSettings('somebody-elses')
    await expect.element(page.getByText('None of your islands has this address')).toBeVisible()
  })

  test('report a failed load, which can be retried', async () => {
    answerOwnIslands(island())
    answerApi(listOwnIslands, refused('overloaded'))
    await openSettings('harbour-tales')
    await expect.element(page.getByText('Your islands could not be loaded.')).toBeVisible()
    answerOwnIslands(island())
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(card('Details')).toBeVisible()
  })

  test('mark a draft, and say why an island is hidden', async () => {
    const hidden = { at: '2026-01-02T03:04:05.000Z', reason: 'Spam in the log.' }
    answerOwnIslands(sampleDraft({ slug: 'draft-x7k2p9', id: 'one' }), { ...island(), hidden })
    await openSettings('draft-x7k2p9')
    await expect.element(page.getByText(/Only you can see it/)).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Publish…' }))
      .toHaveAttribute('href', '/new-island?island=one&step=publish')
    await cleanup()
    await openSettings('harbour-tales')
    await expect.element(page.getByText(/They say: “Spam in the log.”/)).toBeVisible()
  })

  test('R31 say why the relay is stopped', async () => {
    const relayStopped = { at: '2026-01-02T03:04:05.000Z', reason: 'Phishing.', ofHost: true }
    answerOwnIslands({ ...island(), relayStopped })
    await openSettings('harbour-tales')
    await expect
      .element(page.getByText(/stopped the relay for your islands on .* They say: “Phishing.”/))
      .toBeVisible()
  })
})

describe('details and place', () => {
  test('are saved separately', async () => {
    const { updated } = answerOwnIslands(island())
    await openSettings('harbour-tales')
    const details = card('Details').first()
    await details.getByLabelText('Name', { exact: true }).fill('Tales of the Harbour')
    await details.getByLabelText(/^Rules/).fill('Be kind.')
    await details.getByRole('button', { name: 'Save changes' }).click()
    await expect
      .element(page.getByRole('heading', { level: 1 }))
      .toHaveTextContent('Tales of the Harbour')
    const entrance = card('Entrance').first()
    await entrance.getByRole('radio', { name: 'Nowhere yet' }).click()
    await entrance.getByRole('button', { name: 'Save changes' }).click()
    await expect.element(page.getByText('Entrance saved', { exact: true })).toBeVisible()
    const { kind, tagline } = island()
    expect(updated.map(({ body }) => body)).toEqual([
      { name: 'Tales of the Harbour', kind, tagline, about: '', rules: 'Be kind.' },
      { address: null, carrier: null, isRelayed: false, isHosted: false },
    ])
  })

  test('the entrance can be pages on this server, which its refusal is shown at', async () => {
    answerRelay()
    const { updated } = answerOwnIslands(island())
    const sentence = 'This server hosts no pages. Its operator can change that.'
    await openSettings('harbour-tales')
    const entrance = card('Entrance').first()
    const way = entrance.getByRole('radio', { name: 'Pages here' })
    await way.click()
    await expect.element(partLink(partsOfPages)).toHaveLength(0)
    await expect
      .element(entrance.getByRole('link', { name: 'Put them there' }))
      .toHaveAttribute('href', '/islands/harbour-tales/settings/pages')
    const save = entrance.getByRole('button', { name: 'Save changes' })
    answerApi(updateIsland, refused('invalid_island', { isHosted: sentence }))
    await save.click()
    await expect.element(entrance.getByRole('alert').first()).toHaveTextContent(sentence)
    await expect.element(way).toBeChecked()
    const again = answerOwnIslands(island())
    await save.click()
    await expect.element(page.getByText('Entrance saved', { exact: true })).toBeVisible()
    await expect.element(partLink(partsOfPages)).toHaveLength(3)
    answerApi(listRooms, { status: 200, body: [] })
    await partLink('Rooms').click()
    await expect.element(page.getByText('No rooms yet')).toBeVisible()
    expect(updated).toEqual([])
    expect(again.updated.map(({ body }) => body)).toEqual([
      { address: null, carrier: null, isRelayed: false, isHosted: true },
    ])
  })

  test('keep the input if there is no response', async () => {
    answerOwnIslands(island())
    answerApi(updateIsland, 'dropped')
    await openSettings('harbour-tales')
    const details = card('Details').first()
    const name = details.getByLabelText('Name', { exact: true })
    await name.fill('Tales of the Harbour')
    await details.getByRole('button', { name: 'Save changes' }).click()
    await expect.element(details.getByRole('alert')).toHaveTextContent(connectionFailed)
    await expect.element(name).toHaveValue('Tales of the Harbour')
  })
})

/** The same island on the relay. */
const relayed = () => ({
  ...island(),
  address: null,
  isRelayed: true,
  relayAddress: sampleRelayAddress('harbour-tales'),
  carrier: { id: 'pi', label: 'Harbour Pi' },
})

describe('the relay', () => {
  const relay = card('Relay')

  test('shows problems live and links to the block to paste', async () => {
    const { server, asked } = answerRelay({ state: 'gone', since: '2026-01-02T03:04:00.000Z' })
    answerOwnIslands(relayed())
    const stream = await openSettings('harbour-tales')
    await expect.element(relay).toMatchTextContent('The agent is gone since Jan 2, 03:04')
    await expect
      .element(relay.getByRole('link', { name: 'Show the block to paste' }))
      .toHaveAttribute('href', '/connect?for=hosting&device=pi&island=one')
    await expect.element(relay).toMatchTextContent('https://harbour-tales.isles.example/')
    server.condition = {
      state: 'failing',
      why: 'refused',
      since: '2026-01-02T03:05:00.000Z',
      service: 'http://localhost:8080',
    }
    await expect.poll(() => stream.open()).toBe(1)
    const soFar = asked.length
    stream.tell({ type: 'island-open', payload: { id: 'one', isOpen: true, since: null } })
    await expect.poll(() => asked.length).toBeGreaterThan(soFar)
    await expect.element(relay).toMatchTextContent('Connected, but your service refuses')
    await expect.element(relay).toMatchTextContent('nothing answers at http://localhost:8080.')
    await expectAccessible()
  })

  test('replaces the link, with a device', async () => {
    answerRelay()
    const { updated } = answerOwnIslands(island())
    await openSettings('harbour-tales')
    const entrance = card('Entrance').first()
    await entrance.getByRole('radio', { name: 'Through the relay' }).click()
    await expect
      .element(entrance)
      .toMatchTextContent('Visitors open https://harbour-tales.isles.example/')
    await entrance.getByRole('button', { name: 'Save changes' }).click()
    const device = entrance.getByLabelText('Device that it runs on', { exact: true })
    await expect.element(device).toHaveFocus()
    await expect
      .element(device)
      .toHaveAccessibleDescription(/^Choose the device that the island runs on/)
    await device.selectOptions('Harbour Pi')
    await entrance.getByRole('button', { name: 'Save changes' }).click()
    await expect.element(page.getByText('Entrance saved', { exact: true })).toBeVisible()
    expect(updated.map(({ body }) => body)).toEqual([
      { address: null, isRelayed: true, isHosted: false, carrier: expect.stringMatching(/./) },
    ])
    await expect.element(relay).toMatchTextContent('Visitors come in')
  })

  test('is no option without a relay on the server, and says so if it was chosen', async () => {
    answerOwnIslands(island())
    await openSettings('harbour-tales')
    await expect.element(page.getByRole('radio', { name: 'A link' })).toBeVisible()
    expect(page.getByRole('radio', { name: 'Through the relay' }).length).toBe(0)
    await cleanup()
    answerRelay({ state: 'off' })
    answerApi(getRelay, { status: 200, body: { addresses: null } })
    answerOwnIslands({ ...relayed(), relayAddress: null })
    await openSettings('harbour-tales')
    await expect.element(relay).toMatchTextContent('This server has no relay')
    await expect
      .element(card('Entrance').first())
      .toMatchTextContent('This server no longer has a relay, so nobody can enter.')
  })
})

const drawn = () => document.querySelector('header svg[viewBox="0 0 200 180"]')?.innerHTML

describe('the picture', () => {
  test('changes everywhere on the screen', async () => {
    const { updated } = answerOwnIslands({ ...island(), picture: 7 })
    await openSettings('harbour-tales', 'picture')
    const save = card('Picture').getByRole('button', { name: 'Save picture' })
    await expect.element(save).toBeDisabled()
    const before = drawn()
    expect(before).toBeTypeOf('string')
    await page.getByRole('radio', { name: 'Picture 2' }).click()
    await save.click()
    await expect.element(page.getByText('Picture saved', { exact: true })).toBeVisible()
    expect(updated.map(({ body }) => body)).toEqual([{ picture: pictureChoices('one', 0)[0] }])
    expect(drawn()).not.toBe(before)
    await expect.element(page.getByRole('radio', { name: 'The current picture' })).toBeChecked()
    await expect.element(save).toBeDisabled()
  })
})

describe('the address', () => {
  const address = page.getByLabelText('Address', { exact: true })
  const change = page.getByRole('button', { name: 'Change address' })

  test('changes, and the screen follows; the old one redirects for a while', async () => {
    answerOwnIslands(island())
    await openSettings('harbour-tales', 'picture')
    await expect.element(change).toBeDisabled()
    await address.fill('tall-tales')
    await expect.element(page.getByText('This address is free.')).toBeVisible()
    await change.click()
    await expect.element(page.getByText('Address changed', { exact: true })).toBeVisible()
    await expect.poll(() => window.location.pathname).toBe('/islands/tall-tales/settings/picture')
    await expect
      .element(card('Old addresses'))
      .toMatchTextContent('/islands/harbour-tales leads here until')
  })

  test('is refused while typing and when sent if another island has it', async () => {
    const { renamed, checked } = answerOwnIslands(island())
    await openSettings('harbour-tales', 'picture')
    await address.fill(takenSlug)
    await expect.element(page.getByText(takenSentence)).toBeVisible()
    await change.click()
    await expect.element(address).toHaveFocus()
    await expect.element(address).toHaveAccessibleDescription(/^Another island has this address\./)
    expect(renamed).toHaveLength(1)
    // Its own slug needs no check.
    expect(checked.map(({ params }) => params.slug)).not.toContain('harbour-tales')
    answerApi(renameSlug, 'dropped')
    await address.fill('tall-tales')
    await change.click()
    await expect.element(page.getByRole('alert')).toHaveTextContent(connectionFailed)
  })
})

describe('the door', () => {
  const sharing = page.getByRole('checkbox', { name: 'Let other installations show it' })

  test('changes without changing the slug', async () => {
    const { published } = answerOwnIslands(island())
    await openSettings('harbour-tales', 'door')
    await page.getByRole('radio', { name: 'For members' }).click()
    await page.getByRole('checkbox', { name: 'Let people find it in Explore' }).click()
    await expect.element(sharing).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Save door' }).click()
    await expect.element(page.getByText('Door saved', { exact: true })).toBeVisible()
    expect(published.map(({ body }) => body)).toEqual([{ access: 'invited', isListed: false }])
  })

  test('other installations may show a listed island if its host agrees', async () => {
    const { published } = answerOwnIslands(island())
    await openSettings('harbour-tales', 'door')
    await expect.element(sharing).not.toBeChecked()
    await sharing.click()
    await page.getByRole('button', { name: 'Save door' }).click()
    await expect.element(page.getByText('Door saved', { exact: true })).toBeVisible()
    expect(published.map(({ body }) => body)).toEqual([
      { access: 'public', isListed: true, isShared: true },
    ])
  })
})

describe('a pause', () => {
  const words = page.getByLabelText(/^What visitors read/)
  const end = page.getByLabelText(/^Back at/)
  const pauseIt = page.getByRole('button', { name: 'Pause this island' })

  test('is set with a text and a local end time, changed, and ended', async () => {
    const { paused } = answerOwnIslands(island())
    await openSettings('harbour-tales', 'pause')
    await words.fill('A new disk')
    await end.fill('2020-01-02T03:04')
    await pauseIt.click()
    await expect.element(end).toHaveFocus()
    await expect.element(end).toHaveAccessibleDescription(/^Choose a time that is still to come\./)
    expect(paused).toEqual([])
    const soon = new Date(Date.now() + 3_600_000)
    // The field has no seconds.
    soon.setSeconds(0, 0)
    const local = new Date(soon.getTime() - soon.getTimezoneOffset() * 60_000)
    await end.fill(local.toISOString().slice(0, 16))
    await pauseIt.click()
    await expect.element(page.getByText('Your island is paused', { exact: true })).toBeVisible()
    const until = soon.toISOString()
    expect(paused.map(({ body }) => body)).toEqual([{ text: 'A new disk', until }])
    await expect.element(card('This island is paused')).toMatchTextContent('Paused, back at')

    await words.fill('Two new disks')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => paused.at(-1)?.body).toEqual({ text: 'Two new disks', until })
    await end.fill('')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => paused.at(-1)?.body).toEqual({ text: 'Two new disks', until: null })
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.element(pauseIt).toBeVisible()
    await expect.element(pauseIt).toHaveFocus()
    await expect.element(words).toHaveValue('')
  })

  test('keeps the input if the server refuses or can’t be reached', async () => {
    answerOwnIslands(island())
    answerApi(pauseIsland, 'dropped')
    await openSettings('harbour-tales', 'pause')
    await words.fill('A new disk')
    await pauseIt.click()
    await expect.element(page.getByRole('alert')).toHaveTextContent(connectionFailed)
    answerApi(pauseIsland, refused('invalid_island', { text: 'This is no sentence.' }))
    await pauseIt.click()
    await expect.element(words).toHaveFocus()
    await expect.element(words).toHaveAccessibleDescription(/^This is no sentence\./)
    await expect.element(words).toHaveValue('A new disk')
  })
})

describe('its neighbours', () => {
  const list = page.getByRole('list', { name: 'Neighbours' })
  const rows = () =>
    list
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent)

  test('are added by a link, ordered and removed, each saved at once', async () => {
    const { updated } = answerOwnIslands({ ...island(), neighbours: ['first-isle', 'second-isle'] })
    await openSettings('harbour-tales', 'neighbours')
    const address = page.getByLabelText('Its address')
    await address.fill('https://astropelago.example/islands/third-isle')
    await userEvent.keyboard('{Enter}')
    await expect.poll(rows).toEqual(['first-isle', 'second-isle', 'third-isle'])
    await expect.element(address).toHaveValue('')
    await page.getByRole('button', { name: 'Move third-isle up' }).click()
    await expect.poll(rows).toEqual(['first-isle', 'third-isle', 'second-isle'])
    await page.getByRole('button', { name: 'Remove first-isle' }).click()
    await expect.poll(rows).toEqual(['third-isle', 'second-isle'])
    await expect
      .poll(() => updated.at(-1)?.body)
      .toEqual({ neighbours: ['third-isle', 'second-isle'] })
  })

  test('an invalid address has an error, from the page or the server', async () => {
    answerOwnIslands({ ...island(), neighbours: ['first-isle'] })
    await openSettings('harbour-tales', 'neighbours')
    const address = page.getByLabelText('Its address')
    for (const [typed, sentence] of [
      ['!', 'Enter the address of an island'],
      ['harbour-tales', 'That is this island.'],
      ['first-isle', 'That island is already a neighbour.'],
    ] as const) {
      await address.fill(typed)
      await userEvent.keyboard('{Enter}')
      await expect.element(page.getByRole('alert')).toMatchTextContent(sentence)
    }
    const unknown = 'There is no island at unknown-isle.'
    answerApi(updateIsland, refused('invalid_island', { neighbours: unknown }))
    await address.fill('unknown-isle')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('alert')).toHaveTextContent(unknown)
    await expect.poll(rows).toEqual(['first-isle'])
  })
})

describe('deleting for good', () => {
  const word = page.getByLabelText(/^Type its address/)
  const close = page.getByRole('button', { name: 'Delete this island for good' })

  test('requires the typed slug and leads to the Dashboard', async () => {
    const { closed, islands } = answerOwnIslands({ ...island(), memberCount: 3 })
    answerApi(listJoinedIslands, { status: 200, body: [] })
    answerApi(listActivity, { status: 200, body: { items: [], next: null } })
    await openSettings('harbour-tales', 'close')
    await expect.element(card('Delete for good').first()).toMatchTextContent('3 members')
    await close.click()
    await expect.element(word).toHaveFocus()
    await expect.element(word).toHaveAccessibleDescription('Type harbour-tales if you are sure')
    await word.fill('harbour')
    await close.click()
    expect(closed).toEqual([])
    await word.fill('harbour-tales')
    await close.click()
    await expect.poll(() => window.location.pathname).toBe('/dashboard')
    expect(islands).toEqual([])
  })
})

test('axe finds no violations in any part', async () => {
  answerPeople()
  answerOwnIslands({
    ...island(),
    name: 'W'.repeat(64),
    requestCount: 2,
    isOpen: false,
    pause: { text: 'W'.repeat(200), until: '2099-01-02T03:04:00.000Z' },
    neighbours: ['w'.repeat(32), 'second-isle'],
    hidden: { at: '2026-01-02T03:04:05.000Z', reason: 'W'.repeat(200) },
  })
  // The other parts use the forms of the Island Builder.
  for (const part of ['picture', 'pause', 'neighbours', 'close']) {
    await openSettings('harbour-tales', part)
    await expect.element(page.getByRole('navigation', { name: 'Settings' })).toBeVisible()
    await expectAccessible()
    await cleanup()
  }
})
