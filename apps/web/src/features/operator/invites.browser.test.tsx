import { createInvite, type Invite, listInvites, revokeInvite } from '@astropelago/contract/invites'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { openOperator } from './testing/open-operator.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const items = page.getByRole('list', { name: 'Invites' }).getByRole('listitem')

function sampleInvite(details: Partial<Invite> = {}): Invite {
  return {
    id: crypto.randomUUID(),
    note: 'For Ada',
    maxUses: 3,
    uses: 1,
    createdBy: 'Captain',
    createdAt: '2026-01-02T03:04:05.000Z',
    expiresAt: '2999-01-01T00:00:00.000Z',
    ...details,
  }
}

async function open(...invites: readonly Invite[]) {
  answerApi(listInvites, { status: 200, body: [...invites] })
  await openOperator('/invites')
  await expect.element(button('Make an invite')).toBeVisible()
}

test('each invite shows whether it still works and how often it was used', async () => {
  const expiresAt = '2026-01-03T00:00:00.000Z'
  await open(
    sampleInvite(),
    sampleInvite({ note: null, uses: 3 }),
    sampleInvite({ note: 'Old', expiresAt }),
  )
  await expect.element(items.nth(0)).toMatchTextContent('Works, used 1 of 3 times')
  await expect.element(items.nth(1)).toMatchTextContent('Used up')
  await expect.element(items.nth(2)).toMatchTextContent('Over')
  await expectAccessible()
})

test('a new invite has the given limits, and its link is shown once', async () => {
  await open()
  await expect.element(page.getByText('There are no invites')).toBeVisible()
  const link = 'https://sky.example/explore?signin=1&invite=ABCDE'
  const asked = answerApi(createInvite, ({ body: { uses, days, note } }) => {
    const made = sampleInvite({ maxUses: uses, note })
    return { status: 201, body: { ...made, code: 'ABCDE', link: `${link}${days}` } }
  })
  await button('Make an invite').click()
  await dialog.getByLabelText('Accounts').fill('many')
  await button('Make it').click()
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent('A whole number from 1 to 1000.')
  await dialog.getByLabelText('Accounts').fill('5')
  await dialog.getByLabelText(/^Note/).fill('For friends')
  await button('Make it').click()
  await expect.element(dialog.getByText(`${link}7`)).toBeVisible()
  await expect.element(dialog).toMatchTextContent('5 accounts can be made')
  expect(asked.map(({ body }) => body)).toEqual([{ note: 'For friends', uses: 5, days: 7 }])
  await expectAccessible(dialog)
})

test('withdrawing an invite asks for confirmation', async () => {
  const invite = sampleInvite()
  await open(invite)
  const asked = answerApi(revokeInvite, { status: 204 })
  await button('Withdraw For Ada').click()
  await expect.element(dialog).toMatchTextContent('People who registered with it stay.')
  await button('Withdraw it').click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(asked).toMatchObject([{ params: { id: invite.id } }])
})
