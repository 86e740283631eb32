import {
  changeInstallationKey,
  changeNeighbour,
  type Follower,
  followNeighbour,
  forgetNeighbour,
  hideNeighbourSubject,
  listOperatorNeighbours,
  type OperatorNeighbour,
  previewNeighbour,
  showNeighbourSubject,
} from '@astropelago/contract/operator-neighbours'
import { search } from '@astropelago/contract/search'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { sampleNeighbour, sampleNeighbourIsland } from '../../../test/sample-neighbour.ts'
import { openOperator } from '../testing/open-operator.tsx'

const at = '2026-01-02T03:04:05.000Z'
const key = 'k'.repeat(43)
const otherKey = 'n'.repeat(43)
const own = { address: 'https://here.example', key, keyNumber: 2, islandCount: 1, deviceCount: 4 }
const button = (name: string) => page.getByRole('button', { name, exact: true })
const items = page.getByRole('list', { name: 'Followed' }).getByRole('listitem')
const dialog = page.getByRole('dialog')
const confirm = (name: string) => dialog.getByRole('button', { name, exact: true })

function sample(details: Partial<OperatorNeighbour> = {}): OperatorNeighbour {
  return {
    ...sampleNeighbour(),
    state: 'following',
    note: null,
    isConnected: true,
    contactAt: at,
    addedAt: at,
    keyNumber: 1,
    unknownKey: null,
    hidden: [],
    ...details,
  }
}

function answerList(neighbours: OperatorNeighbour[], followers: Follower[] = []) {
  answerApi(listOperatorNeighbours, { status: 200, body: { neighbours, followers, own } })
}

/** A server that changes the neighbour as asked. */
function answerChanges(neighbour: OperatorNeighbour) {
  answerList([neighbour])
  return answerApi(changeNeighbour, ({ body: { state } }) => {
    const changed = { ...neighbour, ...(state !== undefined && { state }), unknownKey: null }
    answerList([changed])
    return { status: 200, body: changed }
  })
}

test('following shows what it would bring before anything happens', async () => {
  answerList([])
  const followed = answerApi(followNeighbour, () => {
    answerList([sample()])
    return { status: 201, body: sample() }
  })
  await openOperator('/neighbours')
  await expect.element(page.getByText('This installation follows no others')).toBeVisible()
  await button('Follow an installation').click()
  const field = dialog.getByRole('textbox')
  answerApi(previewNeighbour, refused('invalid_neighbour', { address: 'Nothing answers there.' }))
  await field.fill('reef.example')
  await confirm('Look').click()
  await expect.element(field).toHaveAccessibleDescription(/Nothing answers there\./)
  const looked = answerApi(previewNeighbour, {
    status: 200,
    body: {
      address: 'https://reef.example',
      name: 'Reef Sky',
      software: 'Astropelago 1.2',
      key,
      islandCount: 12,
      deviceCount: 3400,
      examples: ['Coral Cinema', 'Tide gauge'],
    },
  })
  await confirm('Look').click()
  await expect
    .element(dialog)
    .toMatchTextContent('This would bring 12 islands and 3,400 devices, such as:')
  await expect.element(dialog.getByText('Tide gauge')).toBeVisible()
  await expectAccessible()
  expect(looked.map(({ body }) => body)).toEqual([{ address: 'reef.example' }])
  expect(followed).toEqual([])
  await confirm('Follow').click()
  await expect.element(items.first()).toMatchTextContent('Followed · 2 islands, 3 devices')
  expect(followed.map(({ body }) => body)).toEqual([{ address: 'https://reef.example', key }])
})

test('a neighbour can be held, followed again and blocked', async () => {
  const changes = answerChanges(sample())
  await openOperator('/neighbours')
  await expect.element(items.first()).toMatchTextContent('Connected')
  await button('Hold Reef Sky').click()
  await confirm('Put it on hold').click()
  await expect.element(items.first()).toMatchTextContent('On hold')
  await button('Follow Reef Sky again').click()
  await button('Hold Reef Sky').click()
  await confirm('Cancel').click()
  await button('Block Reef Sky').click()
  await confirm('Block it').click()
  await expect.element(items.first()).toMatchTextContent('Blocked')
  await expect.element(button('Block Reef Sky')).not.toBeInTheDocument()
  expect(changes.map(({ body }) => body.state)).toEqual(['held', 'following', 'blocked'])
})

test('forgetting asks for its name', async () => {
  answerList([sample()])
  const forgotten = answerApi(forgetNeighbour, () => {
    answerList([])
    return { status: 204 }
  })
  await openOperator('/neighbours')
  await button('Forget Reef Sky').click()
  await confirm('Forget it').click()
  await expect.element(dialog.getByRole('textbox')).toHaveAccessibleDescription(/not Reef Sky/)
  expect(forgotten).toEqual([])
  await dialog.getByRole('textbox').fill('reef sky')
  await confirm('Forget it').click()
  await expect.element(page.getByText('This installation follows no others')).toBeVisible()
  expect(forgotten.map(({ params }) => params)).toEqual([{ id: 'reef' }])
})

test('a key that the old one did not sign is accepted only by its operator’s word', async () => {
  const changes = answerChanges(
    sample({
      state: 'held',
      note: 'It has another key.',
      unknownKey: otherKey,
      isConnected: false,
    }),
  )
  await page.viewport(360, 900)
  await openOperator('/neighbours')
  await expect.element(items.first()).toMatchTextContent('It has another key.')
  await expect.element(items.first()).toMatchTextContent('Last contact')
  await expectAccessible()
  await button('Accept the new key of Reef Sky').click()
  await expect.element(dialog.getByText(otherKey)).toBeVisible()
  await expect.element(dialog).toMatchTextContent('Ask its operator')
  await confirm('It is the same key').click()
  await expect.element(page.getByText('The new key of Reef Sky is accepted')).toBeVisible()
  expect(changes.map(({ body }) => body)).toEqual([{ key: otherKey }])
})

test('one thing can be hidden by its name, and shown again', async () => {
  answerList([sample()])
  const other = sampleNeighbourIsland({ id: 'far:1', neighbour: 'far', name: 'Coral Library' })
  const asked = answerApi(search, {
    status: 200,
    body: {
      islands: [],
      satellites: [],
      routes: [],
      neighbourIslands: [sampleNeighbourIsland(), other],
      neighbourSatellites: [
        { id: 'reef:gauge', label: 'Coral gauge', lat: 1, lon: 2, status: 'online' },
      ],
    },
  })
  const hides = answerApi(hideNeighbourSubject, () => {
    answerList([sample({ hidden: [{ kind: 'device', id: 'gauge' }] })])
    return { status: 204 }
  })
  const shows = answerApi(showNeighbourSubject, () => {
    answerList([sample()])
    return { status: 204 }
  })
  await openOperator('/neighbours')
  await button('Hide something of Reef Sky').click()
  await dialog.getByRole('textbox').fill('coral')
  await expect.element(confirm('Hide Coral Cinema')).toBeVisible()
  await expect.element(confirm('Hide Coral Library')).not.toBeInTheDocument()
  await expectAccessible()
  await confirm('Hide Coral gauge').click()
  await expect.element(button('Show gauge again')).toBeVisible()
  await button('Show gauge again').click()
  await expect.element(button('Show gauge again')).not.toBeInTheDocument()
  expect(asked.at(-1)?.query).toEqual({ q: 'coral' })
  const subject = { params: { id: 'reef' }, body: { kind: 'device', id: 'gauge' } }
  expect(hides).toMatchObject([subject])
  expect(shows).toMatchObject([subject])
})

test('followers are listed, unverified ones as such, and the own key can be changed', async () => {
  const follower = { isVerified: true, isConnected: true, firstAt: at, lastAt: at }
  answerList(
    [],
    [
      { ...follower, address: 'https://far.example' },
      { ...follower, address: 'https://odd.example', isVerified: false, isConnected: false },
    ],
  )
  const changed = answerApi(changeInstallationKey, {
    status: 200,
    body: { key: otherKey, keyNumber: 3 },
  })
  await openOperator('/neighbours')
  const followers = page.getByRole('list', { name: 'Followers' }).getByRole('listitem')
  await expect.element(followers.first()).toMatchTextContent('Connected')
  await expect.element(followers.nth(1)).toMatchTextContent('the address does not confirm it')
  await expect.element(page.getByText(key)).toBeVisible()
  await expect.element(page.getByText('Its users share 1 island and 4 devices.')).toBeVisible()
  await button('Change the key').click()
  await confirm('Change it').click()
  await expect.element(page.getByText('The key is changed')).toBeVisible()
  expect(changed).toHaveLength(1)
})

test('a failure offers a retry', async () => {
  answerApi(listOperatorNeighbours, refused('overloaded'))
  await openOperator('/neighbours')
  await expect.element(page.getByText('The neighbours could not be loaded.')).toBeVisible()
  answerList([sample()])
  await button('Try again').click()
  await expect.element(items.first()).toMatchTextContent('Reef Sky')
})
