import { listApiKeys } from '@astropelago/contract/api-keys'
import { renewDeviceTokens } from '@astropelago/contract/devices'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { sampleUser } from '../../test/samples.ts'
import { account, connectionFailed, openAccountPart } from './testing/open-account.tsx'

const card = account.card('Renew all device tokens')
const renew = card.getByRole('button', { name: 'Renew all tokens' })
const token = (deviceLabel: string, label: string | null) => ({
  scope: 'report' as const,
  deviceId: crypto.randomUUID(),
  deviceLabel,
  id: crypto.randomUUID(),
  token: `apd_${deviceLabel.toLowerCase().padEnd(43, 'x')}`,
  label,
})

test('all tokens are renewed after a question, and shown this once', async () => {
  const tokens = [token('Lighthouse', 'roof'), token('Cellar', null)]
  const asked = answerApi(renewDeviceTokens, { status: 200, body: tokens })
  answerApi(listApiKeys, { status: 200, body: [] })
  await openAccountPart('keys')
  await renew.click()
  await expect.element(card).toMatchTextContent(/The old tokens stop working at once/)
  await expect.element(card.getByRole('button', { name: 'Keep them' })).toHaveFocus()
  expect(asked).toHaveLength(0)
  await card.getByRole('button', { name: 'Renew all tokens' }).click()
  await expect.element(card.getByRole('heading', { name: /^Copy them now/ })).toHaveFocus()
  const items = card.getByRole('listitem')
  await expect.element(items.nth(0)).toMatchTextContent(`Lighthouseroof${tokens[0]?.token}`)
  await expect.element(items.nth(1)).toMatchTextContent(`Cellar${tokens[1]?.token}`)
  await card.getByRole('button', { name: 'Copy all tokens' }).click()
  await expect.element(card.getByText('Copied', { exact: true }).first()).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(
    `Lighthouse\troof\t${tokens[0]?.token}\nCellar\t\t${tokens[1]?.token}`,
  )
  await expectAccessible()
})

test('where there are none it says so; without an answer it can be tried again', async () => {
  answerApi(renewDeviceTokens, 'dropped')
  answerApi(listApiKeys, { status: 200, body: [] })
  await openAccountPart('keys')
  await renew.click()
  await card.getByRole('button', { name: 'Renew all tokens' }).click()
  await expect.element(card.getByRole('alert')).toHaveTextContent(connectionFailed)
  answerApi(renewDeviceTokens, { status: 200, body: [] })
  await card.getByRole('button', { name: 'Renew all tokens' }).click()
  await expect.element(card).toMatchTextContent(/There were no tokens to renew/)
})

test('a demo account has none of it', async () => {
  await openAccountPart('keys', { ...sampleUser, isDemo: true })
  await expect.element(page.getByText(/^This is a demo account/)).toBeVisible()
  await expect.element(card).not.toBeInTheDocument()
})
