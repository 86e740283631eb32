import {
  makeTicket,
  readDoorway,
  takeBackAnswer,
  type Doorway,
} from '@astropelago/contract/relay-access'
import { describe, expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { watchDepartures } from '../../../test/departures.ts'
import { openScreen } from '../../../test/open-screen.tsx'
import { sampleUser as user } from '../../../test/samples.ts'

const state = 'x'.repeat(43)
const path = `/islands/harbor-light/enter?state=${state}&to=%2Ftable%3Fseat%3D4`
const wayIn = 'http://harbor-light.localhost:3000/.astropelago/enter'
const main = page.getByRole('main')

function doorway(details: Partial<Doorway> = {}): Doorway {
  return {
    slug: 'harbor-light',
    name: 'Harbor Light',
    host: 'Keeper',
    access: 'members',
    mayEnter: true,
    pause: null,
    wayIn,
    isHere: true,
    isHosted: false,
    yourName: 'Ada',
    tellsName: null,
    ...details,
  }
}

test('R23 an island learns no name before a press, and the ticket leaves no trace', async () => {
  answerApi(readDoorway, { status: 200, body: doorway() })
  const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
  const left = watchDepartures()
  await openScreen(path, { user })
  await expect.element(main).toMatchTextContent('It runs on a device of Keeper')
  await expect.poll(() => document.title).toBe('Enter Harbor Light · Astropelago')
  await expectAccessible()
  expect(made).toEqual([])
  await main.getByRole('button', { name: 'Enter as Ada' }).click()
  await expect
    .poll(() => left)
    .toEqual([{ type: 'replace', to: `${wayIn}?ticket=once&to=%2Ftable%3Fseat%3D4` }])
  expect(made.map(({ body }) => body)).toEqual([{ state, tellsName: true }])
})

test('S69 a press counts only once the question was in view for a while', async () => {
  answerApi(readDoorway, { status: 200, body: doorway() })
  const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
  const left = watchDepartures()
  await openScreen(path, { user })
  const yes = main.getByRole('button', { name: 'Enter as Ada' })
  const press = async () =>
    (await yes.findElement()).dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await press()
  await expect.element(yes).not.toHaveAttribute('aria-disabled', 'true')
  window.dispatchEvent(new Event('focus'))
  await expect.element(yes).toHaveAttribute('aria-disabled', 'true')
  await press()
  await expect.element(yes).not.toHaveAttribute('aria-disabled', 'true')
  expect(made).toEqual([])
  await press()
  await expect.poll(() => left).toHaveLength(1)
})

test('entering without a name is an answer too', async () => {
  answerApi(readDoorway, { status: 200, body: doorway() })
  const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
  const left = watchDepartures()
  await openScreen(path, { user })
  await main.getByRole('button', { name: 'Enter without my name' }).click()
  await expect.poll(() => left).toHaveLength(1)
  expect(made.map(({ body }) => body)).toEqual([{ state, tellsName: false }])
})

test('R25 R23 after an earlier answer, a new browser state needs one press, and later visits none', async () => {
  answerApi(readDoorway, { status: 200, body: doorway({ tellsName: true }) })
  const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
  const left = watchDepartures()
  await openScreen(path, { user })
  await expect.element(main).toMatchTextContent('It learns that you are Ada')
  await expectAccessible()
  expect(made).toEqual([])
  await main.getByRole('button', { name: 'Go in' }).click()
  await expect.poll(() => left).toHaveLength(1)
  await cleanup()

  await openScreen(path, { user })
  // React's strict mode runs every effect twice.
  await expect.poll(() => left).toHaveLength(3)
  await cleanup()
  // The state of another browser, whose owner sent the user here.
  await openScreen(path.replace(state, 'y'.repeat(43)), { user })
  await expect.element(main.getByRole('button', { name: 'Go in' })).toBeVisible()
  expect(new Set(made.map(({ body }) => body.state))).toEqual(new Set([state]))
})

test('a failed entry can be tried again', async () => {
  answerApi(readDoorway, { status: 200, body: doorway({ tellsName: false }) })
  answerApi(makeTicket, refused('rate_limited'))
  await openScreen(path, { user })
  await main.getByRole('button', { name: 'Go in' }).click()
  await expect.element(main).toMatchTextContent('Too many tries.')
  const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
  const left = watchDepartures()
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => left).toHaveLength(1)
  // The earlier answer stays.
  expect(made.map(({ body }) => body.tellsName)).toEqual([undefined])
})

test('an answer can be read and taken back', async () => {
  answerApi(readDoorway, { status: 200, body: doorway({ tellsName: true }) })
  const taken = answerApi(takeBackAnswer, { status: 204 })
  await openScreen(`${path}&ask=1`, { user })
  await expect.element(main).toMatchTextContent('Your answer so far: yes, as Ada.')
  answerApi(readDoorway, { status: 200, body: doorway() })
  await main.getByRole('button', { name: 'Take my answer back' }).click()
  await expect.element(main.getByRole('status')).toMatchTextContent('Your answer is taken back.')
  await expect
    .element(main.getByRole('button', { name: 'Take my answer back' }))
    .not.toBeInTheDocument()
  expect(taken.map(({ params }) => params)).toEqual([{ slug: 'harbor-light' }])
})

test('R29 missing and forbidden islands show the same page', async () => {
  answerApi(readDoorway, refused('not_found'))
  await openScreen(path, { user })
  await expect
    .element(main.getByRole('heading'))
    .toMatchTextContent('Nothing here that you can see')
})

test('viewers who may not enter read who may', async () => {
  answerApi(readDoorway, { status: 200, body: doorway({ mayEnter: false }) })
  await openScreen(path, { user })
  await expect.element(main.getByRole('heading')).toMatchTextContent('Harbor Light is for members')
  await expect
    .element(main.getByRole('link', { name: 'About this island' }))
    .toHaveAttribute('href', '/islands/harbor-light')
})

test('R56 nobody enters a paused island, and visitors read what its host says', async () => {
  const pause = { text: 'A new disk', until: '2099-01-02T03:04:00.000Z' }
  answerApi(readDoorway, { status: 200, body: doorway({ tellsName: true, pause }) })
  const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
  await openScreen(path, { user })
  await expect.element(main.getByRole('heading')).toMatchTextContent('Harbor Light is paused')
  await expect.element(main).toMatchTextContent(/A new disk\s*Back at Jan 2, 2099, 03:04/)
  await expect.element(main.getByRole('button')).not.toBeInTheDocument()
  await expectAccessible()
  expect(made).toEqual([])
})

test('visitors without a browser state, or with an old slug, fetch a state first', async () => {
  answerApi(readDoorway, { status: 200, body: doorway() })
  const left = watchDepartures()
  await openScreen('/islands/harbor-light/enter?ask=1', { user })
  await expect.poll(() => left.at(-1)).toEqual({ type: 'replace', to: `${wayIn}?to=%2F&ask=1` })
  answerApi(readDoorway, { status: 200, body: doorway({ isHere: false }) })
  await openScreen(`/islands/harbour-light/enter?state=${state}`, { user })
  await expect.poll(() => left.at(-1)).toEqual({ type: 'replace', to: `${wayIn}?to=%2F` })
})

test('R61 visitors from a domain of the island’s own get a ticket for that domain', async () => {
  const there = 'https://bar.example.org/.astropelago/enter'
  answerApi(readDoorway, { status: 200, body: doorway({ wayIn: there, tellsName: false }) })
  const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
  const left = watchDepartures()
  await openScreen(`/islands/bar.example.org/enter?state=${state}`, { user })
  await main.getByRole('button', { name: 'Go in' }).click()
  await expect
    .poll(() => left.at(-1))
    .toEqual({ type: 'replace', to: `${there}?ticket=once&to=%2F` })
  expect(made.map(({ params }) => params)).toEqual([{ slug: 'bar.example.org' }])
})

test('visitors of hosted pages who only visit are not asked for their name', async () => {
  answerApi(readDoorway, { status: 200, body: doorway({ isHosted: true }) })
  const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
  const left = watchDepartures()
  await openScreen(path, { user })
  await main.getByRole('button', { name: 'Go in' }).click()
  await expect.poll(() => left).toHaveLength(1)
  expect(made.map(({ body }) => body)).toEqual([{ state }])
})

describe('hosted pages that ask who their visitor is', () => {
  const agreed = '/.astropelago/agreed'
  const asking = `/islands/harbor-light/enter?${new URLSearchParams({ state, to: agreed, ask: '1' }).toString()}`
  const back = {
    type: 'replace',
    to: `${wayIn}?${new URLSearchParams({ ticket: 'once', to: agreed }).toString()}`,
  }

  test.each([
    ['Yes, as Ada', true],
    ['No, stay without a name', false],
  ])('get the answer “%s”, and the visitor is led back', async (name, tellsName) => {
    answerApi(readDoorway, { status: 200, body: doorway({ isHosted: true }) })
    const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
    const left = watchDepartures()
    // The small window that an island's page opens.
    await page.viewport(480, 680)
    await openScreen(asking, { user })
    await expect
      .element(main)
      .toMatchTextContent('You can see and delete all of it in your account.')
    if (tellsName) await expectAccessible()
    await main.getByRole('button', { name }).click()
    await expect.poll(() => left).toEqual([back])
    expect(made.map(({ body }) => body)).toEqual([{ state, tellsName }])
  })

  test('get no name of a demo account, which can only read', async () => {
    answerApi(readDoorway, { status: 200, body: doorway({ isHosted: true }) })
    const made = answerApi(makeTicket, { status: 201, body: { ticket: 'once' } })
    const left = watchDepartures()
    await openScreen(asking, { user: { ...user, isDemo: true } })
    await expect.element(main).toMatchTextContent('A demo account can only read')
    await main.getByRole('button', { name: 'Go on reading' }).click()
    await expect.poll(() => left).toEqual([back])
    expect(made.map(({ body }) => body)).toEqual([{ state }])
  })
})
