import {
  acceptInvitation,
  invitationPath,
  readInvitation,
} from '@astropelago/contract/island-members'
import { getIsland } from '@astropelago/contract/islands'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { readWayBack } from '../../lib/way-back.ts'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleIsland } from '../../test/sample-island.ts'
import { sampleUser as user } from '../../test/samples.ts'

const code = 'ABCDE-FGHJK-MNPQR-STVWX-YZ012'
const path = invitationPath(code)
const main = page.getByRole('main')
const join = page.getByRole('button', { name: 'Join Harbor Light' })

const rules = 'Be kind.\nNo spam.'
const card = sampleIsland({
  slug: 'harbor-light',
  name: 'Harbor Light',
  tagline: 'Tea, maps and quiet music',
  access: 'invited',
  host: 'Keeper',
})
const island = { ...card, rules }

test('an invitation shows its island, and a press accepts it and leads there', async () => {
  const read = answerApi(readInvitation, { status: 200, body: island })
  const used = answerApi(acceptInvitation, { status: 200, body: { slug: 'harbor-light' } })
  answerApi(getIsland, refused('not_found'))
  await openScreen(path, { user })
  await expect.element(main).toMatchTextContent('Tea, maps and quiet music')
  await expect.element(main).toMatchTextContent('Hosted by Keeper')
  await expect.element(main).toMatchTextContent('By joining you accept the rules of this island.')
  await main.getByText('Read the rules').click()
  await expect.element(main.getByText(/No spam/)).toBeVisible()
  await expect.poll(() => document.title).toBe('Invitation · Astropelago')
  await expectAccessible()
  expect(used).toEqual([])
  await join.click()
  await expect
    .poll(() => window.location.pathname + window.location.hash)
    .toBe('/islands/harbor-light')
  const bare = code.replaceAll('-', '')
  expect([...read, ...used].map(({ body }) => body)).toEqual([{ code: bare }, { code: bare }])
})

test('signed-out visitors sign in first and return with the code', async () => {
  answerApi(readInvitation, { status: 200, body: island })
  await openScreen(path)
  await main.getByRole('link', { name: 'Sign in to accept' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/explore?signin=1')
  expect(readWayBack()).toBe(path)
})

test('a used invitation says so', async () => {
  answerApi(readInvitation, refused('invalid_invitation'))
  await openScreen(path, { user })
  await expect.element(main).toMatchTextContent('This invitation is used up, revoked or too old.')
})

test('an address without a code sends no request', async () => {
  await openScreen('/invitation#half-a-code', { user })
  await expect.element(main).toMatchTextContent('This link has no invitation in it.')
})

test('a failed load can be tried again, and a full island says why', async () => {
  answerApi(readInvitation, refused('rate_limited'))
  await openScreen(path, { user })
  await expect.element(main).toMatchTextContent('The invitation could not be loaded.')
  answerApi(readInvitation, { status: 200, body: island })
  answerApi(acceptInvitation, refused('member_limit'))
  await main.getByRole('button', { name: 'Try again' }).click()
  await join.click()
  await expect.element(main.getByRole('alert')).toMatchTextContent('can’t have more members')
})
