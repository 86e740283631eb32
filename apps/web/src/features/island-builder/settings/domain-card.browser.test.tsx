import {
  checkIslandDomain,
  claimIslandDomain,
  getIslandDomain,
  type IslandDomain,
  removeIslandDomain,
} from '@astropelago/contract/island-domain'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { DomainCard } from './domain-card.tsx'

const at = '2026-01-02T03:04:05.000Z'
const card = page.getByRole('region', { name: 'Your own domain' })
const button = (name: string) => card.getByRole('button', { name, exact: true })
const claimed: IslandDomain = {
  name: 'bar.example.org',
  address: 'https://bar.example.org/',
  isInLogs: true,
  status: { state: 'unproven' },
  records: {
    proof: { name: '_astropelago.bar.example.org', value: '0123456789abcdef0123456789abcdef' },
    target: { name: 'domains.islands.example', addresses: ['192.0.2.1', '2001:db8::1'] },
  },
  seen: null,
}
const answerDomain = (domain: IslandDomain | null) =>
  answerApi(getIslandDomain, { status: 200, body: { domain } })
const openCard = () => openPart(<DomainCard island={{ id: 'harbour' }} />, { user: sampleUser })

test('a host names a domain, sees its records, checks them, and removes it', async () => {
  await page.viewport(360, 900)
  answerDomain(null)
  const asked = answerApi(claimIslandDomain, { status: 200, body: { domain: claimed } })
  await openCard()
  await button('Use this domain').click()
  await expect.element(card.getByRole('alert')).toMatchTextContent('Enter a domain.')
  const field = card.getByRole('textbox')
  await field.fill(' bar.example.org ')
  await card.getByRole('checkbox').click()
  await button('Use this domain').click()
  await expect.element(card).toMatchTextContent('Not proven yet.')
  expect(asked.map(({ body }) => body)).toEqual([{ name: 'bar.example.org', isInLogs: true }])
  const { proof, target } = claimed.records
  for (const text of [proof.name, proof.value, target.name, '192.0.2.1, 2001:db8::1']) {
    await expect.element(card).toMatchTextContent(text)
  }
  await expect.element(button(`Copy ${proof.value}`)).toBeVisible()

  const seen: IslandDomain['seen'] = { at, values: [], target: 'found', proof: 'found' }
  const found = (changes: Partial<IslandDomain>) =>
    answerApi(checkIslandDomain, { status: 200, body: { domain: { ...claimed, ...changes } } })
  for (const [record, text] of [
    ['missing', 'The TXT record is not there yet.'],
    ['other', 'There is a TXT record, but with another value.'],
    ['unanswered', 'The name servers of the domain did not answer.'],
  ] as const) {
    found({ seen: { ...seen, proof: record } })
    await button('Check now').click()
    await expect.element(card).toMatchTextContent(text)
  }
  found({
    seen: { ...seen, target: 'other', values: ['198.51.100.7'] },
    status: { state: 'proven', since: at },
  })
  await button('Check now').click()
  await expect
    .element(card)
    .toMatchTextContent('The domain leads to other addresses: 198.51.100.7.')
  await expect.element(card).toMatchTextContent('Visitors enter at https://bar.example.org/')
  expect(document.documentElement.scrollWidth).toBe(360)
  await expectAccessible()

  const removed = answerApi(removeIslandDomain, { status: 204 })
  await button('Remove the domain').click()
  expect(removed).toHaveLength(0)
  await button('Remove it').click()
  await expect.element(button('Use this domain')).toBeVisible()
  await expect.element(card).toHaveFocus()
  expect(removed).toHaveLength(1)
})

test('a refused domain is explained at its field, and a failed check below', async () => {
  answerDomain({ ...claimed, isInLogs: false, status: { state: 'proven', since: at } })
  answerApi(
    claimIslandDomain,
    refused('invalid_domain', { name: 'This name belongs to this site.' }),
  )
  answerApi(checkIslandDomain, refused('rate_limited'))
  await openCard()
  await expect.element(card).toMatchTextContent('It gets no certificate before you tick the box')
  await card.getByRole('textbox').fill('islands.example')
  await button('Save changes').click()
  await expect.element(card).toMatchTextContent('This name belongs to this site.')
  await button('Check now').click()
  await expect.element(card).toMatchTextContent('Too many tries.')
})

test.each([
  ['missing', 'Its TXT record was gone.'],
  ['unanswered', 'Its name servers gave no answer for three days.'],
  ['taken', 'Another island has proved that it has this domain.'],
] as const)('a domain that was lost says why: %s', async (why, text) => {
  answerDomain({ ...claimed, status: { state: 'lost', since: at, why } })
  await openCard()
  await expect.element(card).toMatchTextContent(`Lost on`)
  await expect.element(card).toMatchTextContent(text)
})
