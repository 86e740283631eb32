import { answerJoinRequest, listMembers } from '@astropelago/contract/island-members'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import {
  answerPeople,
  givenLink,
  sampleInvitation,
  samplePerson,
} from '../testing/answer-people.ts'
import { InvitationsCard } from './invitations-card.tsx'
import { BlockedCard, MembersCard } from './members-card.tsx'
import { RequestsCard } from './requests-card.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const items = (list: string) =>
  page.getByRole('list', { name: list, exact: true }).getByRole('listitem')
const toast = (text: string) => page.getByText(text, { exact: true })

const open = async () =>
  await openPart(
    <>
      {/* At the end of the page, a toast would cover its buttons for five seconds. */}
      <RequestsCard islandId="one" />
      <MembersCard islandId="one" />
      <BlockedCard islandId="one" />
      <InvitationsCard islandId="one" />
    </>,
    { user: sampleUser },
  )

describe('members', () => {
  test('load page by page; one can be removed after confirmation', async () => {
    const many = Array.from({ length: 51 }, (_, index) => samplePerson(`Nav-${index + 100}`))
    const { removed } = answerPeople({ members: many })
    await open()
    await expect.element(page.getByRole('heading', { name: 'Members (51)' })).toBeVisible()
    expect(items('Members').elements()).toHaveLength(50)
    await button('Show more').click()
    await expect.poll(() => items('Members').elements()).toHaveLength(51)
    await button('Remove Nav-100').click()
    await expect.element(button('Keep')).toHaveFocus()
    await button('Remove member').click()
    await expect.poll(() => items('Members').elements()).toHaveLength(50)
    await expect.element(button('Remove Nav-101')).toHaveFocus()
    expect(removed.map(({ params }) => params)).toEqual([{ id: 'one', username: 'Nav-100' }])
  })

  test('move to the blocked list until they are unblocked', async () => {
    const { unblocked } = answerPeople({ members: [samplePerson('Mira')] })
    await open()
    await button('Block Mira').click()
    await button('Block').first().click()
    await expect.element(button('Unblock Mira')).toBeVisible()
    await expect.element(page.getByText('Nobody yet')).toBeVisible()
    await button('Unblock Mira').click()
    await expect.element(page.getByText('Nobody is blocked.')).toBeVisible()
    expect(unblocked).toHaveLength(1)
  })

  test('report a failed load', async () => {
    answerPeople()
    answerApi(listMembers, refused('overloaded'))
    await open()
    await expect.element(page.getByText('Your members could not be loaded.')).toBeVisible()
  })
})

test('a user who is no member can be blocked by username; an unknown one can’t', async () => {
  const { blocked } = answerPeople()
  await open()
  const username = page.getByLabelText('Username')
  await username.fill('nobody')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(username)
    .toHaveAccessibleDescription('There is no Navigator with that name.')
  await username.fill(' Rowan ')
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Unblock Rowan')).toBeVisible()
  expect(blocked.map(({ params }) => params.username)).toEqual(['nobody', 'Rowan'])
})

describe('requests', () => {
  const requests = [
    { ...samplePerson('Mira'), text: 'I know Rowan.\nWe met at the quay.' },
    samplePerson('Noor'),
    samplePerson('Ines'),
  ]

  test('are answered, and the next one gets the focus', async () => {
    const { answered, blocked } = answerPeople({ requests })
    await open()
    await expect.element(items('Requests').first()).toMatchTextContent('We met at the quay.')
    await button('Let Mira in').click()
    await expect.element(toast('Mira is a member now')).toBeVisible()
    await expect.element(button('Let Noor in')).toHaveFocus()
    await button('Turn Noor down').click()
    await expect.element(toast('Noor was not let in')).toBeVisible()
    await button('Block Ines').click()
    await items('Requests').getByRole('button', { name: 'Block', exact: true }).click()
    await expect.element(page.getByText('Nobody is waiting')).toBeVisible()
    expect(answered.map(({ params, body }) => [params.username, body.isLetIn])).toEqual([
      ['Mira', true],
      ['Noor', false],
    ])
    expect(blocked).toHaveLength(1)
  })

  test('to a full island stay, with the reason', async () => {
    answerPeople({ requests })
    answerApi(answerJoinRequest, refused('member_limit'))
    await open()
    await button('Let Mira in').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent('can’t have more members')
    expect(items('Requests').elements()).toHaveLength(3)
  })
})

describe('invitations', () => {
  test('show their link once and their uses, and disappear when revoked', async () => {
    const { invited, revoked } = answerPeople({ invitations: [sampleInvitation()] })
    await open()
    await expect.element(items('Invitations')).toMatchTextContent('Used: 2 of 5')
    await page.getByLabelText(/^Note/).fill('Rowan')
    await page.getByLabelText('Can be used').selectOptions('5 times')
    await button('Make an invitation').click()
    await expect.element(page.getByText('Copy the link now. It is shown only once.')).toHaveFocus()
    await expect.element(page.getByText(givenLink)).toBeVisible()
    expect(invited.map(({ body }) => body)).toEqual([{ note: 'Rowan', uses: 5, days: 7 }])
    await button('Revoke Rowan').click()
    await button('Revoke invitation').click()
    await expect.element(page.getByText(givenLink)).not.toBeInTheDocument()
    expect(items('Invitations').elements()).toHaveLength(1)
    expect(revoked).toHaveLength(1)
  })

  test('say if they are used up or expired', async () => {
    answerPeople({
      invitations: [
        sampleInvitation({ uses: 5 }),
        sampleInvitation({ note: null, expiresAt: '2026-01-03T03:04:05.000Z' }),
      ],
    })
    await open()
    await expect.element(items('Invitations').first()).toMatchTextContent('Used up: 5 of 5')
    await expect.element(items('Invitations').last()).toMatchTextContent('too old')
  })

  test('can’t exceed the island’s limit', async () => {
    answerPeople({ invitations: Array.from({ length: 20 }, () => sampleInvitation()) })
    await open()
    await expect.element(page.getByText(/Revoke one to make another/)).toBeVisible()
    await expect.element(button('Make an invitation')).not.toBeInTheDocument()
  })
})

test('axe finds no violations in full or empty lists', async () => {
  const person = { ...samplePerson('W'.repeat(32)), name: 'W'.repeat(64), text: 'W'.repeat(280) }
  answerPeople({
    members: [person],
    requests: [person],
    blocks: [person],
    invitations: [sampleInvitation({ note: 'W'.repeat(64) })],
  })
  await open()
  await expect.element(items('Requests')).toBeVisible()
  await expectAccessible()
})
