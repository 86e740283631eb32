import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from '@astropelago/contract/api-keys'
import { apiKeysPerUser } from '@astropelago/contract/limits'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { sampleUser } from '../../test/samples.ts'
import { account, connectionFailed, openAccountPart } from './testing/open-account.tsx'

const card = account.card('API keys')
const items = card.getByRole('list', { name: 'API keys' }).getByRole('listitem')
const make = card.getByRole('button', { name: 'Make a key' })
const name = card.getByLabelText('Name')

function sampleKey(details: Partial<ApiKey> = {}): ApiKey {
  return {
    id: crypto.randomUUID(),
    name: 'Provisioning',
    start: 'apk_abcdef',
    scopes: ['devices:write'],
    createdAt: new Date().toISOString(),
    lastUsedAt: null,
    expiresAt: null,
    ...details,
  }
}

test('keys are listed with what they may do, their last use and their end', async () => {
  answerApi(listApiKeys, {
    status: 200,
    body: [
      sampleKey({ lastUsedAt: new Date(Date.now() - 3 * 60_000).toISOString() }),
      sampleKey({
        name: 'Old export',
        scopes: ['devices:read', 'devices:write'],
        expiresAt: '2020-01-31T00:00:00.000Z',
      }),
    ],
  })
  await openAccountPart('keys')
  await expect.element(items.nth(0)).toMatchTextContent(/Provisioning.*apk_abcdef….*Change devices/)
  await expect.element(items.nth(0)).toMatchTextContent(/last used 3 minutes ago/)
  await expect.element(items.nth(1)).toMatchTextContent(/Read devices, Change devices.*never used/)
  await expect.element(items.nth(1)).toMatchTextContent(/Ended on .* it no longer works/)
})

test('a new key is shown this once, with a command to try it', async () => {
  answerApi(listApiKeys, { status: 200, body: [] })
  const key = `apk_${'x'.repeat(43)}`
  const asked = answerApi(createApiKey, ({ body }) => ({
    status: 201,
    body: { ...sampleKey({ name: body.name, scopes: body.scopes }), key },
  }))
  await openAccountPart('keys')
  await make.click()
  await expect.element(name).toHaveFocus()
  await expect.element(card.getByRole('alert').first()).toMatchTextContent(/^Give the key a name/)
  await name.fill('Fleet')
  expect(card.getByRole('checkbox', { checked: true }).length).toBe(0)
  await card.getByLabelText('Change devices').click()
  await card.getByLabelText('Read devices').click()
  await card.getByLabelText('Ends').selectOptions('In a year')
  await make.click()
  const heading = card.getByRole('heading', { name: 'Copy Fleet now. It is shown only once.' })
  await expect.element(heading).toHaveFocus()
  expect(asked[0]?.body).toEqual({
    name: 'Fleet',
    scopes: ['devices:write', 'devices:read'],
    expiresInDays: 365,
  })
  await expect.element(card.getByRole('figure').first()).toMatchTextContent(key)
  await expect.element(items).toMatchTextContent(/Fleet/)
  await expect.element(name).toHaveValue('')
  await expectAccessible()
})

test('a key needs at least one scope', async () => {
  answerApi(listApiKeys, { status: 200, body: [] })
  await openAccountPart('keys')
  await name.fill('Fleet')
  await make.click()
  await expect.element(card.getByRole('alert')).toHaveTextContent('Choose what the key may do')
})

test('a key is revoked after a question, and what was shown of it goes too', async () => {
  answerApi(listApiKeys, { status: 200, body: [sampleKey()] })
  const asked = answerApi(revokeApiKey, 'dropped')
  await openAccountPart('keys')
  await items.getByRole('button', { name: 'Revoke Provisioning' }).click()
  await expect.element(items.getByRole('button', { name: 'Keep it' })).toHaveFocus()
  await items.getByRole('button', { name: 'Revoke key' }).click()
  await expect.element(items.getByRole('alert')).toHaveTextContent(connectionFailed)
  expect(asked).toHaveLength(1)
  answerApi(revokeApiKey, { status: 204 })
  await items.getByRole('button', { name: 'Revoke key' }).click()
  await expect.element(items).not.toBeInTheDocument()
  await expect.element(card.getByRole('heading', { name: 'API keys' })).toHaveFocus()
})

test('what the server says against another key is shown', async () => {
  answerApi(listApiKeys, { status: 200, body: [] })
  answerApi(createApiKey, refused('api_key_limit'))
  await openAccountPart('keys')
  await name.fill('One more')
  await card.getByLabelText('Read devices').click()
  await make.click()
  await expect
    .element(card.getByRole('alert'))
    .toMatchTextContent(/^Your account can’t have more API keys/)
})

test('a full account has no form', async () => {
  const body = Array.from({ length: apiKeysPerUser }, () => sampleKey())
  answerApi(listApiKeys, { status: 200, body })
  await openAccountPart('keys')
  await expect.element(card).toMatchTextContent(/Revoke one to make another/)
  await expect.element(make).not.toBeInTheDocument()
})

test('a demo account has none of it', async () => {
  await openAccountPart('keys', { ...sampleUser, isDemo: true })
  await expect.element(page.getByText(/^This is a demo account/)).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
})
