import { createDeviceToken, type OwnDevice } from '@astropelago/contract/devices'
import { getRelay, type OutsideResult } from '@astropelago/contract/island-relay'
import { listOwnIslands, type OwnIsland, updateIsland } from '@astropelago/contract/islands'
import { getRelayAgent } from '@astropelago/contract/relay-agent'
import { getIslandPort } from '@astropelago/contract/relay-ports'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { answerRelay, sampleRelayAddress } from '../../../test/answer-relay.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleOwnIsland } from '../../../test/sample-island.ts'
import { sampleDevice, sampleToken, sampleUser } from '../../../test/samples.ts'
import { ConnectPage } from '../connect-page.tsx'
import { answerConnect, givenToken } from '../testing/open-connect.tsx'

const part = (name: string) => page.getByRole('region', { name, exact: true })
const choose = part('Choose your island')
const run = part('Run the agent')
const open = part('Open your island')
const generate = run.getByRole('button', { name: 'Generate token' })
const block = run.getByRole('figure', { name: /^Paste/ }).getByRole('code')
const service = run.getByLabelText('Port or address', { exact: true })
const sha256 = 'ab'.repeat(32)

const pi = () => sampleDevice({ label: 'Harbour Pi' })

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

/** Connect for hosting, of a user with a device and these islands, where no agent is connected yet. */
async function openHosting(device: OwnDevice, ...islands: OwnIsland[]) {
  answerConnect(device)
  const relay = answerRelay({ state: 'gone', since: null })
  answerApi(listOwnIslands, () => ({ status: 200, body: islands }))
  const updated = answerApi(updateIsland, ({ params, body }) => {
    const index = islands.findIndex(({ id }) => id === params.id)
    const carried = carriedBy(device, { id: params.id })
    islands.splice(index, 1, carried)
    return { status: 200, body: { ...carried, isRelayed: body.isRelayed ?? false } }
  })
  const made = answerApi(createDeviceToken, ({ body: { label, scope } }) => ({
    status: 201,
    body: { id: sampleToken().id, token: givenToken, label, scope },
  }))
  answerApi(getRelayAgent, { status: 200, body: { version: '1.0.0', sha256 } })
  const path = `/connect?for=hosting&device=${device.id}`
  await openPart(<ConnectPage />, { user: sampleUser, path })
  return { ...relay, updated, made }
}

describe('what a device is for', () => {
  test('is chosen above the steps, and kept in the address', async () => {
    answerConnect(pi())
    answerRelay()
    answerApi(listOwnIslands, { status: 200, body: [] })
    await openPart(<ConnectPage />, { user: sampleUser, path: '/connect' })
    await expect.element(page.getByRole('radio', { name: 'Report only' })).toBeChecked()
    await page.getByRole('radio', { name: 'Host something here' }).click()
    await expect.element(choose).toMatchTextContent('Select a device')
    const headings = page.getByRole('heading', { level: 2 }).elements()
    expect(headings.map(({ textContent }) => textContent)).toEqual([
      '1. Select or create a device',
      '2. Choose your island',
      '3. Run the agent',
      '4. Open your island',
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

describe('hosting', () => {
  beforeEach(() => answerPort(null))

  test('begins with an island, which the device carries once that is said', async () => {
    const device = pi()
    const island = sampleOwnIsland({ name: 'Harbour Books' })
    const { updated } = await openHosting(device, island)
    await expect.element(run).toMatchTextContent('once the device carries an island')
    const choice = choose.getByRole('radio', { name: /Harbour Books/ })
    await expect.element(choice).not.toBeChecked()
    await choice.click()
    await expect.element(choose).toMatchTextContent('and not by its link any more, to Harbour Pi')
    await choose.getByRole('button', { name: 'Let this device carry it' }).click()
    await expect.element(choice).toHaveAccessibleName(/carried by this device/)
    expect(updated.map(({ body }) => body)).toEqual([{ isRelayed: true, carrier: device.id }])
    await expect.element(generate).toBeVisible()
  })

  test('without an island, leads to where one is made', async () => {
    await openHosting(pi())
    await expect.element(choose).toMatchTextContent('You have no island yet.')
    await expect
      .element(choose.getByRole('link', { name: 'Make an island' }))
      .toHaveAttribute('href', '/new-island')
  })

  test('takes a token for the relay, shown once, and gives one block with what is hosted', async () => {
    const device = pi()
    const island = carriedBy(device)
    const { made } = await openHosting(device, island)
    await generate.click()
    await expect.element(run).toMatchTextContent('This token is shown only once.')
    expect(made.map(({ body }) => body)).toMatchObject([{ deviceId: device.id, scope: 'relay' }])
    await expect.element(block).toMatchTextContent(givenToken)
    await expect.element(block).toMatchTextContent(sha256)
    await expect.element(block).toMatchTextContent(`--island ${island.id} `)
    await expect.element(block).toMatchTextContent('http://localhost:8080')
    await service.fill('3000')
    await expect.element(block).toMatchTextContent('http://localhost:3000')
    await service.fill('my computer')
    await userEvent.tab()
    await expect.element(service).toHaveAccessibleDescription(/Write http or https/)
    await expect.element(block).not.toBeInTheDocument()
    await run.getByRole('radio', { name: 'A folder' }).click()
    await expect.element(block).toMatchTextContent('--folder')
    expect(block.element().textContent).not.toContain('--list')
    await run.getByRole('checkbox').click()
    await expect.element(block).toMatchTextContent('--list')
    for (const name of ['Linux', 'macOS', 'Windows', 'Other ways']) {
      await expect.element(run.getByRole('tab', { name })).toBeVisible()
    }
    await run.getByRole('tab', { name: 'Other ways' }).click()
    await run.getByRole('tab', { name: 'Docker' }).click()
    const docker = run.getByRole('figure', { name: /^Then run it/ }).getByRole('code')
    await expect.element(docker).toMatchTextContent('docker run --rm')
    expect(docker.element().textContent).not.toContain(givenToken)
    await expectAccessible()
  })

  test('keeps to the way that was chosen while what is hosted is typed anew, and says nothing amid it', async () => {
    const device = pi()
    await openHosting(device, carriedBy(device))
    await generate.click()
    const windows = run.getByRole('tab', { name: 'Windows' })
    await windows.click()
    const panel = run.getByRole('tabpanel', { name: 'Windows' })
    await expect.element(panel).toMatchTextContent('http://localhost:8080')
    await service.fill('')
    await expect.element(panel).not.toBeInTheDocument()
    await expect.element(run.getByRole('alert')).not.toBeInTheDocument()
    await service.fill('3000')
    await expect.element(panel).toMatchTextContent('http://localhost:3000')
    await expect.element(windows).toHaveAttribute('aria-selected', 'true')
    await service.fill('')
    await userEvent.tab()
    await expect.element(run.getByRole('alert')).toMatchTextContent('Write http or https')
    await service.fill('8080')
    await expect.element(run.getByRole('alert')).not.toBeInTheDocument()
    await expect.element(windows).toHaveAttribute('aria-selected', 'true')
  })

  test('asks where games are once the island has a port, and tells the agent', async () => {
    const device = pi()
    answerPort('harbour-books.isles.example:25001')
    await openHosting(device, carriedBy(device))
    await generate.click()
    const games = run.getByRole('textbox', { name: /^For games/ })
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

  test('a token that can’t be made says why', async () => {
    const device = pi()
    await openHosting(device, carriedBy(device))
    answerApi(createDeviceToken, refused('token_limit'))
    await generate.click()
    await expect.element(run.getByRole('alert')).toMatchTextContent('Revoke one first.')
  })

  test('ends with the island’s address once the agent is there, opened from outside by itself', async () => {
    const device = pi()
    const { server, checked } = await openHosting(device, carriedBy(device))
    await expect.element(open).toMatchTextContent('Waiting for the agent of Harbour Books')
    await expect.element(open).toMatchTextContent('Opened from outside: not tried yet')
    expect(checked).toEqual([])
    server.condition = { state: 'carried' }
    await expect
      .element(open.getByRole('link', { name: /^Open your island/ }), { timeout: 5000 })
      .toHaveAttribute('href', 'https://harbour-books.isles.example/')
    await expect.element(open).toMatchTextContent('Opened from outside: yes')
    expect(checked).toHaveLength(1)
    await expect.element(run).toMatchTextContent('The agent is connected.')
    await open.getByRole('button', { name: 'Check again' }).click()
    await expect.poll(() => checked.length).toBe(2)
    await expectAccessible()
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
  test('says in words what is in the way from outside', async () => {
    const device = pi()
    const { server } = await openHosting(device, carriedBy(device))
    for (const [result, words] of failures) {
      server.result = result
      await open.getByRole('button', { name: /^Check (now|again)/ }).click()
      await expect.element(open).toMatchTextContent(words)
      await expect.element(open).toMatchTextContent('Opened from outside: no')
    }
  })
})
