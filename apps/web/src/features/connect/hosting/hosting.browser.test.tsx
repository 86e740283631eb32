import {
  createDeviceToken,
  listOwnDevices,
  registerDevice,
  type OwnDevice,
} from '@astropelago/contract/devices'
import { createInvitation } from '@astropelago/contract/island-members'
import { getRelay, type OutsideResult } from '@astropelago/contract/island-relay'
import { createIsland, type OwnIsland, publishIsland } from '@astropelago/contract/islands'
import { getRelayAgent } from '@astropelago/contract/relay-agent'
import { getIslandPort } from '@astropelago/contract/relay-ports'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import { savedLocation } from '../../../lib/saved-location.ts'
import { answerTowns } from '../../../lib/towns/testing/answer-towns.ts'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { answerRelay, sampleRelayAddress } from '../../../test/answer-relay.ts'
import { holdTime } from '../../../test/emulation.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleDraft, sampleOwnIsland } from '../../../test/sample-island.ts'
import { sampleDevice, sampleToken, sampleUser } from '../../../test/samples.ts'
import { answerOwnIslands } from '../../island-builder/testing/answer-islands.ts'
import { ConnectPage } from '../connect-page.tsx'
import { answerConnect, givenToken } from '../testing/open-connect.tsx'

const part = (name: string) => page.getByRole('region', { name, exact: true })
const say = part('Say what you host')
const paste = part('Paste one block')
const open = part('Open your island')
const name = say.getByLabelText('Name', { exact: true })
const service = say.getByLabelText('Port or address', { exact: true })
const runsOn = say.getByLabelText('Runs on', { exact: true })
const show = say.getByRole('button', { name: 'Show the block to paste' })
const showAnother = paste.getByRole('button', { name: 'Show a block to paste' })
const block = paste.getByRole('figure', { name: /^Paste/ }).getByRole('code')
const sha256 = 'ab'.repeat(32)
/** How often the page asks for the state of an island that is not open yet. */
const troublePollMs = 2000

const pi = (details: Partial<OwnDevice> = {}) => sampleDevice({ label: 'Harbour Pi', ...details })

function carriedBy(device: OwnDevice, details: Partial<OwnIsland> = {}): OwnIsland {
  return sampleOwnIsland({
    address: null,
    isRelayed: true,
    relayAddress: sampleRelayAddress('harbour-books'),
    carrier: { id: device.id, label: device.label },
    ...details,
  })
}

function answerPort(address: string | null) {
  const own = { isOffered: address !== null, isListening: address !== null }
  answerApi(getIslandPort, { status: 200, body: { address, letIn: null, own } })
}

interface Home {
  readonly devices?: readonly OwnDevice[]
  readonly islands?: readonly OwnIsland[]
  /** Appended to `?for=hosting`. */
  readonly search?: string
  readonly user?: typeof sampleUser
}

/** Opens Connect for hosting, with no agent connected yet. */
async function openHosting({ devices = [], islands = [], search = '', user = sampleUser }: Home) {
  const { registered } = answerConnect(...devices)
  const relay = answerRelay({ state: 'gone', since: null })
  const own = answerOwnIslands(...islands)
  const tokens = answerApi(createDeviceToken, ({ body: { label, scope } }) => ({
    status: 201,
    body: { id: sampleToken().id, token: givenToken, label, scope },
  }))
  answerApi(getRelayAgent, { status: 200, body: { version: '1.0.0', sha256 } })
  await openPart(<ConnectPage />, { user, path: `/connect?for=hosting${search}` })
  return { ...own, ...relay, registered, tokens }
}

/** Opens hosting for a device in the address and the islands that it carries. */
async function openCarried(device: OwnDevice, ...islands: OwnIsland[]) {
  return openHosting({ devices: [device], islands, search: `&device=${device.id}` })
}

beforeEach(() => answerPort(null))

describe('what a device is for', () => {
  test('is chosen above the steps, and stays in the address', async () => {
    answerConnect(pi())
    answerRelay()
    answerOwnIslands()
    await openPart(<ConnectPage />, { user: sampleUser, path: '/connect' })
    await expect.element(page.getByRole('radio', { name: 'Report only' })).toBeChecked()
    await page.getByRole('radio', { name: 'Host something here' }).click()
    await expect.element(paste).toMatchTextContent('after you say what you host')
    const headings = page.getByRole('heading', { level: 2 }).elements()
    expect(headings.map(({ textContent }) => textContent)).toEqual([
      '1. Say what you host',
      '2. Paste one block',
      '3. Open your island',
    ])
    expect(window.location.search).toBe('?for=hosting')
    await page.getByRole('radio', { name: 'Report only' }).click()
    await expect.element(part('Generate a device token')).toBeVisible()
    expect(window.location.search).toBe('')
  })

  test('can be hosting only where the server has a relay', async () => {
    answerConnect(pi())
    answerApi(getRelay, { status: 200, body: { addresses: null } })
    await openPart(<ConnectPage />, { user: sampleUser, path: '/connect' })
    const hosting = page.getByRole('radio', { name: 'Host something here' })
    await expect.element(hosting).toBeDisabled()
    await expect.element(hosting).toHaveAccessibleDescription(/^This server has no relay/)
  })
})

describe('from nothing', () => {
  test('a name and a port make a private device in the town of the time zone, an island for members alone, and the block', async () => {
    answerTowns()
    const zone = { ...new Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Europe/Vienna' }
    const options = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(zone)
    onTestFinished(() => options.mockRestore())
    const { registered, created, published, tokens } = await openHosting({})
    await expect
      .element(say)
      .toMatchTextContent('Only you see it. It is placed in Vienna, the town of your time zone.')
    await expect.element(say.getByRole('combobox')).not.toBeInTheDocument()
    await name.fill('Harbour Books')
    await service.fill('3000')
    await show.click()
    await expect.element(block).toMatchTextContent('http://localhost:3000')
    await expect.element(block).toMatchTextContent(givenToken)
    await expect.element(block).toMatchTextContent(sha256)
    expect(registered.map(({ body }) => body)).toMatchObject([
      {
        label: 'Home of Harbour Books',
        lat: 48.208,
        lon: 16.372,
        precision: 'km10',
        visibility: 'private',
      },
    ])
    const device = new URLSearchParams(window.location.search).get('device')
    expect(created.map(({ body }) => body)).toMatchObject([
      { name: 'Harbour Books', kind: 'lab', isRelayed: true, carrier: device },
    ])
    expect(published.map(({ body }) => body)).toEqual([{ access: 'invited', isListed: false }])
    expect(tokens.map(({ body }) => body)).toMatchObject([{ deviceId: device, scope: 'relay' }])
    await expect.element(paste.getByText(/^Paste this into a terminal/).first()).toHaveFocus()
    await expect.element(open).toMatchTextContent('Waiting for the agent of Harbour Books')
    await expectAccessible()
  })

  test('the location that was saved in this browser is the device’s', async () => {
    savedLocation.save({ label: 'Attic', lat: 1, lon: 2 })
    onTestFinished(() => savedLocation.clear())
    const { registered } = await openHosting({})
    await expect.element(say).toMatchTextContent('at the location that you saved in this browser')
    await name.fill('Harbour Books')
    await show.click()
    await expect.element(block).toBeVisible()
    expect(registered.map(({ body }) => body)).toMatchObject([{ lat: 1, lon: 2 }])
  })

  test('without a known place it asks for a town', async () => {
    answerTowns()
    const { registered } = await openHosting({})
    const town = say.getByRole('combobox', { name: 'Search a town' })
    await name.fill('Harbour Books')
    await show.click()
    await expect.element(town).toHaveFocus()
    await expect.element(say.getByRole('alert')).toMatchTextContent('A town nearby is enough')
    await town.fill('trom')
    await say.getByRole('option', { name: /Tromsø/ }).click()
    await expect.element(say.getByRole('alert')).not.toBeInTheDocument()
    await show.click()
    await expect.element(block).toBeVisible()
    expect(registered.map(({ body }) => body)).toMatchObject([{ lat: 69.649, lon: 18.957 }])
  })

  test('missing values are errors of their fields, and nothing is created', async () => {
    const { created } = await openHosting({ devices: [pi(), pi({ label: 'Attic' })] })
    await service.fill('my computer')
    await show.click()
    await expect.element(name).toHaveFocus()
    await expect.element(name).toHaveAccessibleDescription(/Give your island a name\./)
    await expect.element(service).toHaveAccessibleDescription(/Write http or https/)
    await expect
      .element(runsOn)
      .toHaveAccessibleDescription('Choose the device that the island runs on.')
    await name.fill('Harbour Books')
    await expect.element(name).not.toHaveAccessibleDescription(/Give your island/)
    expect(created).toEqual([])
  })

  test('the only device there is is known; of several one is chosen, or a new one', async () => {
    const device = pi()
    const { created, registered } = await openHosting({ devices: [device] })
    await expect.element(runsOn).toHaveValue(device.id)
    await expect.element(say).not.toMatchTextContent('a new one is made')
    await runsOn.selectOptions('A new device')
    await expect.element(say).toMatchTextContent('A new device is made.')
    await runsOn.selectOptions('Harbour Pi (not seen yet)')
    await name.fill('Harbour Books')
    await show.click()
    await expect.element(block).toBeVisible()
    expect(registered).toEqual([])
    expect(created.map(({ body }) => body)).toMatchObject([{ carrier: device.id }])
  })

  test('what fails midway says why, and the next try goes on from there', async () => {
    const device = pi()
    const { created } = await openHosting({ devices: [device] })
    answerApi(publishIsland, refused('rate_limited'))
    await name.fill('Harbour Books')
    await show.click()
    await expect.element(page.getByRole('alert')).toBeVisible()
    await expect.element(block).not.toBeInTheDocument()
    expect(created).toHaveLength(1)
    const published = answerApi(publishIsland, ({ params, body }) => ({
      status: 200,
      body: carriedBy(device, { ...params, ...body, slug: 'harbour-books-x7k2p9' }),
    }))
    await showAnother.click()
    await expect.element(block).toBeVisible()
    expect(created).toHaveLength(1)
    expect(published.map(({ body }) => body)).toEqual([{ access: 'invited', isListed: false }])
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  })

  test('a device that can’t be made says why', async () => {
    savedLocation.save({ label: 'Attic', lat: 1, lon: 2 })
    onTestFinished(() => savedLocation.clear())
    await openHosting({})
    answerApi(registerDevice, refused('device_limit'))
    await name.fill('Harbour Books')
    await show.click()
    await expect.element(say.getByRole('alert')).toMatchTextContent('devices')
    await expect.element(name).toHaveValue('Harbour Books')
  })

  test('a name that is refused says so at its field', async () => {
    await openHosting({ devices: [pi()] })
    answerApi(createIsland, refused('invalid_island', { name: 'Not that one.' }))
    await name.fill('Harbour Books')
    await show.click()
    await expect.element(name).toHaveAccessibleDescription(/^Not that one\./)
    await expect.element(name).toHaveFocus()
  })

  test('what is typed survives going elsewhere, a reload and a lost sign-in', async () => {
    await openHosting({ devices: [pi()] })
    answerApi(createIsland, refused('signed_out'))
    await name.fill('Harbour Books')
    await service.fill('3000')
    await page.getByRole('radio', { name: 'Report only' }).click()
    await page.getByRole('radio', { name: 'Host something here' }).click()
    await expect.element(service).toHaveValue('3000')
    await show.click()
    await expect.element(say.getByRole('alert')).toMatchTextContent('You are signed out.')
    await expect.element(say.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await cleanup()
    await openHosting({ devices: [pi()] })
    await expect.element(name).toHaveValue('Harbour Books')
    await expect.element(service).toHaveValue('3000')
    await show.click()
    await expect.element(block).toMatchTextContent('http://localhost:3000')
    // The island has taken the name. The port is kept, because it describes the service.
    await cleanup()
    await openHosting({ devices: [pi()] })
    await expect.element(name).toHaveValue('')
    await expect.element(service).toHaveValue('3000')
  })

  test('the link to the Island Builder carries the name and the device', async () => {
    const device = pi()
    await openHosting({ devices: [device] })
    await name.fill('Harbour Books')
    await expect
      .element(say.getByRole('link', { name: 'Island Builder' }))
      .toHaveAttribute('href', `/new-island?device=${device.id}&name=Harbour+Books`)
  })

  test('a demo account reads why there is no form', async () => {
    await openHosting({ user: { ...sampleUser, isDemo: true } })
    await expect.element(say).toMatchTextContent('Demo accounts can’t host at home.')
    await expect.element(name).not.toBeInTheDocument()
  })

  test('devices that can’t be loaded make no new one: they are asked for again', async () => {
    await openHosting({ devices: [pi()] })
    await cleanup()
    answerApi(listOwnDevices, refused('overloaded'))
    const { listed } = answerOwnIslands()
    await openPart(<ConnectPage />, { user: sampleUser, path: '/connect?for=hosting' })
    await expect.poll(() => listed.length).toBeGreaterThan(0)
    await expect.element(say).toMatchTextContent('Your devices could not be loaded.')
    await expect.element(show).not.toBeInTheDocument()
    const device = pi()
    answerConnect(device)
    await say.getByRole('button', { name: 'Try again' }).click()
    await expect.element(runsOn).toHaveValue(device.id)
  })
})

describe('an island that there is', () => {
  test('is carried by the device once that is said', async () => {
    const device = pi()
    const island = sampleOwnIsland({ name: 'Harbour Books' })
    const { updated, published, created } = await openHosting({
      devices: [device],
      islands: [island],
    })
    await say.getByLabelText('Island', { exact: true }).selectOptions('Harbour Books')
    await expect.element(name).not.toBeInTheDocument()
    await expect.element(say).toMatchTextContent('They will come through the relay to Harbour Pi')
    await show.click()
    await expect.element(block).toMatchTextContent(`--island ${island.id} `)
    expect(updated.map(({ body }) => body)).toEqual([{ isRelayed: true, carrier: device.id }])
    expect([...created, ...published]).toEqual([])
  })

  test('needs no question where its device is known: one press shows a block', async () => {
    const device = pi()
    const island = carriedBy(device)
    const { tokens, updated } = await openHosting({
      devices: [device, pi()],
      islands: [sampleOwnIsland(), island],
      search: `&island=${island.id}`,
    })
    await expect.element(runsOn).toHaveValue(device.id)
    await expect.element(show).not.toBeInTheDocument()
    await showAnother.click()
    await expect.element(block).toMatchTextContent(`--island ${island.id} `)
    expect(tokens.map(({ body }) => body)).toMatchObject([{ deviceId: device.id }])
    expect(updated).toEqual([])
  })

  test('that is a draft is left one, and says where it is published', async () => {
    const device = pi()
    const draft = sampleDraft({ isRelayed: true, carrier: { id: device.id, label: 'Pi' } })
    const { published } = await openCarried(device, draft)
    await showAnother.click()
    await expect.element(block).toBeVisible()
    await expect
      .element(open.getByRole('link', { name: 'Publish it' }))
      .toHaveAttribute('href', `/new-island?island=${draft.id}&step=publish`)
    expect(published).toEqual([])
  })

  test('a device that is offline is to be turned on first', async () => {
    const device = pi({ status: 'offline', lastSeenAt: '2026-01-02T03:04:05.000Z' })
    await openCarried(device, carriedBy(device))
    await expect.element(paste).toMatchTextContent('Harbour Pi is offline, last seen')
    await expect.element(paste).toMatchTextContent('Turn it on, then paste the block there.')
  })
})

describe('the block', () => {
  test('names what is hosted, as it is typed', async () => {
    const device = pi()
    await openCarried(device, carriedBy(device))
    await showAnother.click()
    await expect.element(block).toMatchTextContent('http://localhost:8080')
    await service.fill('3000')
    await expect.element(block).toMatchTextContent('http://localhost:3000')
    await service.fill('my computer')
    await userEvent.tab()
    await expect.element(service).toHaveAccessibleDescription(/Write http or https/)
    await expect.element(block).not.toBeInTheDocument()
    await say.getByRole('radio', { name: 'A folder' }).click()
    await expect.element(block).toMatchTextContent('--folder')
    expect(block.element().textContent).not.toContain('--list')
    await say.getByRole('checkbox').click()
    await expect.element(block).toMatchTextContent('--list')
    for (const system of ['Linux', 'macOS', 'Windows', 'Other ways']) {
      await expect.element(paste.getByRole('tab', { name: system })).toBeVisible()
    }
    await paste.getByRole('tab', { name: 'Other ways' }).click()
    await paste.getByRole('tab', { name: 'Docker' }).click()
    const docker = paste.getByRole('figure', { name: /^Then run it/ }).getByRole('code')
    await expect.element(docker).toMatchTextContent('docker run --rm')
    expect(docker.element().textContent).not.toContain(givenToken)
    await expectAccessible()
  })

  test('keeps the chosen tab while the service is retyped, without an error meanwhile', async () => {
    const device = pi()
    await openCarried(device, carriedBy(device))
    await showAnother.click()
    const windows = paste.getByRole('tab', { name: 'Windows' })
    await windows.click()
    const panel = paste.getByRole('tabpanel', { name: 'Windows' })
    await expect.element(panel).toMatchTextContent('http://localhost:8080')
    await service.fill('')
    await expect.element(panel).not.toBeInTheDocument()
    await expect.element(say.getByRole('alert')).not.toBeInTheDocument()
    await service.fill('3000')
    await expect.element(panel).toMatchTextContent('http://localhost:3000')
    await expect.element(windows).toHaveAttribute('aria-selected', 'true')
    await service.fill('')
    await userEvent.tab()
    await expect.element(say.getByRole('alert')).toMatchTextContent('Write http or https')
    await service.fill('8080')
    await expect.element(say.getByRole('alert')).not.toBeInTheDocument()
    await expect.element(windows).toHaveAttribute('aria-selected', 'true')
  })

  test('asks for the port of games once the island has a port, and passes it to the agent', async () => {
    const device = pi()
    answerPort('harbour-books.isles.example:25001')
    await openCarried(device, carriedBy(device))
    await showAnother.click()
    const games = say.getByRole('textbox', { name: /^For games/ })
    await expect.element(games).toBeVisible()
    await expect.element(block).toMatchTextContent('http://localhost:8080')
    expect(block.element().textContent).not.toContain('--tcp')
    await games.fill('25565')
    await expect.element(block).toMatchTextContent(/--tcp '?localhost:25565/)
    await games.fill('my game')
    await userEvent.tab()
    await expect.element(games).toHaveAccessibleDescription(/Write a port/)
    await expect.element(block).not.toBeInTheDocument()
  })

  test('that can’t be made says why', async () => {
    const device = pi()
    await openCarried(device, carriedBy(device))
    answerApi(createDeviceToken, refused('token_limit'))
    await showAnother.click()
    await expect.element(paste.getByRole('alert')).toMatchTextContent('Revoke one first.')
  })

  test('whose parts can’t be loaded asks for them again', async () => {
    const device = pi()
    await openCarried(device, carriedBy(device))
    answerApi(getRelayAgent, refused('rate_limited'))
    await showAnother.click()
    await expect.element(paste).toMatchTextContent('The block could not be loaded.')
    answerApi(getRelayAgent, { status: 200, body: { version: '1.0.0', sha256 } })
    await paste.getByRole('button', { name: 'Try again' }).click()
    await expect.element(block).toMatchTextContent(sha256)
  })
})

const invited = (device: OwnDevice) => carriedBy(device, { access: 'invited', isListed: false })

describe('the island', () => {
  test('says what it waits for, then that it is open, with its link and what lets friends in', async () => {
    holdTime()
    const device = pi()
    const { server, checked } = await openCarried(device, invited(device))
    await expect.element(open).toMatchTextContent('Waiting for the agent of Harbour Books')
    const steps = open.getByRole('list', { name: 'What it waits for' }).getByRole('listitem')
    await expect.element(steps.first()).toMatchTextContent('connects: waiting')
    await expect.element(open).not.toMatchTextContent('is open')
    await expect.element(open.getByRole('link', { name: /^Open your/ })).not.toBeInTheDocument()
    expect(checked).toEqual([])
    server.condition = {
      state: 'failing',
      why: 'refused',
      since: '2026-01-02T03:04:05.000Z',
      service: null,
    }
    await vi.advanceTimersByTimeAsync(troublePollMs)
    await expect.element(steps.first()).toMatchTextContent('connects: done')
    await expect.element(steps.nth(1)).toMatchTextContent('answers: waiting')
    await expect.element(open).toMatchTextContent('Connected, but your service refuses')
    server.condition = { state: 'carried' }
    await vi.advanceTimersByTimeAsync(troublePollMs)
    await expect.element(open.getByText('Harbour Books is open')).toBeVisible()
    await expect
      .element(open.getByRole('link', { name: /^Open your island/ }))
      .toHaveAttribute('href', 'https://harbour-books.isles.example/')
    await expect.element(steps.first()).not.toBeInTheDocument()
    await expect.element(open).toMatchTextContent('Opened from outside: yes')
    expect(checked).toHaveLength(1)
    await expect.element(paste).toMatchTextContent('The agent is connected.')
    await open.getByRole('button', { name: 'Check again' }).click()
    await expect.poll(() => checked.length).toBe(2)
    await expectAccessible()
  })

  test('for members alone has an invitation for friends', async () => {
    const device = pi()
    await openCarried(device, invited(device))
    const link = 'https://isles.example/invitation#code'
    const made = answerApi(createInvitation, ({ body }) => ({
      status: 201,
      body: {
        id: 'invitation',
        note: body.note ?? null,
        uses: 0,
        maxUses: body.uses,
        createdAt: '2026-01-02T03:04:05.000Z',
        expiresAt: '2026-01-09T03:04:05.000Z',
        code: 'code',
        link,
      },
    }))
    await expect.element(open).toMatchTextContent('Only people you let in may enter.')
    await open.getByRole('button', { name: 'Make an invitation for friends' }).click()
    await expect
      .element(open.getByRole('figure', { name: /^Invitation link/ }))
      .toMatchTextContent(link)
    await expect.element(open.getByText(/lets in 5 of them within 7 days/)).toHaveFocus()
    expect(made.map(({ body }) => body)).toMatchObject([{ uses: 5, days: 7 }])
  })

  test('for everybody says so, and an invitation that can’t be made says why', async () => {
    const device = pi()
    await openCarried(device, carriedBy(device))
    await expect.element(open).toMatchTextContent('Anybody may enter, signed in or not.')
    await expect.element(open.getByRole('button', { name: /invitation/ })).not.toBeInTheDocument()
    await cleanup()
    await openCarried(device, invited(device))
    answerApi(createInvitation, refused('invitation_limit'))
    await open.getByRole('button', { name: /invitation/ }).click()
    await expect.element(open.getByRole('alert')).toBeVisible()
  })

  const failures: readonly (readonly [OutsideResult, string])[] = [
    ['no-name', 'Nobody can find harbour-books.isles.example'],
    ['certificate', 'harbour-books.isles.example has no valid certificate'],
    ['unreachable', 'The server could not connect to'],
    ['no-answer', 'did not answer within 10 seconds'],
    ['another-server', 'Something else answers at'],
    ['no-agent', 'no agent is connected'],
    ['refused', 'your service refuses'],
    ['timeout', 'answers too slowly'],
    ['broken', 'breaks off its answers'],
  ]
  test('explains what blocks access from outside, and does not say that it is open', async () => {
    holdTime()
    const device = pi()
    const { server } = await openCarried(device, carriedBy(device))
    server.condition = { state: 'carried' }
    await vi.advanceTimersByTimeAsync(troublePollMs)
    await expect.element(open.getByRole('button', { name: 'Check again' })).toBeVisible()
    for (const [result, words] of failures) {
      server.result = result
      await open.getByRole('button', { name: 'Check again' }).click()
      await expect.element(open).toMatchTextContent(words)
      await expect.element(open).toMatchTextContent('Opened from outside: no')
      await expect.element(open).not.toMatchTextContent('is open')
    }
  })
})
