import { type AuditEntry, listAuditEntries } from '@astropelago/contract/audit'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleOnDesktop } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { openOperator } from './testing/open-operator.tsx'

const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')

function sampleEntry(details: Partial<AuditEntry> = {}): AuditEntry {
  return {
    number: 1,
    at: '2026-01-02T03:04:05.000Z',
    actor: 'operator:Captain',
    action: 'user.disabled',
    subject: 'user:eve',
    details: null,
    outcome: 'done',
    code: null,
    ...details,
  }
}

test('an entry shows actor, action, subject, outcome and details', async () => {
  const entries = [
    sampleEntry({ number: 4, outcome: 'begun' }),
    sampleEntry({ number: 3, outcome: 'refused', code: 'not_found' }),
    sampleEntry({ number: 2, subject: 'device:1', details: { reason: 'Rude', by: null } }),
    sampleEntry(),
  ]
  answerApi(listAuditEntries, { status: 200, body: { entries, hasMore: false } })
  await openOperator('/audit')
  await expect.element(rows).toHaveLength(5)
  await expect.element(rows.nth(1)).toMatchTextContent('how it ended is not known')
  await expect.element(rows.nth(2)).toMatchTextContent('refused (not_found)')
  await expect.element(rows.nth(3)).toMatchTextContent('reason: Rude')
  const link = rows.nth(4).getByRole('link', { name: 'user:eve' })
  await expect.element(link).toHaveAttribute('href', '/mothership/users?user=eve')
  await expectAccessibleOnDesktop()
  await expectAccessible()
})

test('Enter applies the filter and puts it into the address; a button clears it', async () => {
  const asked = answerApi(listAuditEntries, ({ query: { subject } }) => ({
    status: 200,
    body: { entries: subject === 'user:eve' ? [] : [sampleEntry()], hasMore: false },
  }))
  await openOperator('/audit?actor=operator%3ACaptain')
  await expect.element(page.getByLabelText('Who')).toHaveValue('operator:Captain')
  await page.getByLabelText('To whom or what').fill(' user:eve ')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Nothing of that kind is on record.')).toBeVisible()
  const filter = { actor: 'operator:Captain', subject: 'user:eve' }
  expect(asked.at(-1)?.query).toMatchObject(filter)
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual(filter)
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.element(rows).toHaveLength(2)
  expect(window.location.pathname).toBe('/mothership/audit')
})

test('older entries load page by page', async () => {
  const all = Array.from({ length: 70 }, (_, at) => sampleEntry({ number: 70 - at }))
  answerApi(listAuditEntries, ({ query: { before = Infinity, limit } }) => {
    const found = all.filter(({ number }) => number < before)
    const body = { entries: found.slice(0, limit), hasMore: found.length > limit }
    return { status: 200, body }
  })
  await openOperator('/audit')
  await expect.element(rows).toHaveLength(51)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.element(rows).toHaveLength(71)
})
