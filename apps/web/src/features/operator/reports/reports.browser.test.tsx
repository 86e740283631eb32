import {
  dismissReports,
  hideSubject,
  listReports,
  type ReportCase,
  showSubject,
} from '@astropelago/contract/reports'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openOperator, sampleCase } from '../testing/open-operator.tsx'

const at = '2026-01-02T03:04:05.000Z'
const button = (name: string) => page.getByRole('button', { name, exact: true })
const cases = page.getByRole('list', { name: 'Open reports' }).getByRole('listitem')
/** Expands a report's row, the first of that name. */
const openRow = (name: string) => page.getByRole('heading', { name }).first().click()
const reason = page.getByRole('textbox', { name: 'What its owner will read' })

/** A server with these reports, which settles cases. */
function answerReports(...open: ReportCase[]) {
  const left = new Set(open)
  answerApi(listReports, ({ query: { after, limit } }) => {
    const all = [...left]
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
    const shown = all.slice(from, from + limit)
    const hasMore = all.length > from + limit
    return { status: 200, body: { cases: shown, openCount: left.size, hasMore } }
  })
  const settle = ({ params }: { readonly params: { readonly id: string } }) => {
    for (const one of left) if (one.subject.id === params.id) left.delete(one)
    return { status: 204 } as const
  }
  return { hides: answerApi(hideSubject, settle), dismissals: answerApi(dismissReports, settle) }
}

test('a case shows the subject, its author, and the reports with their reasons', async () => {
  answerReports(sampleCase({ count: 8 }))
  await openOperator('/reports')
  const region = page.getByRole('region', { name: 'Reports' })
  await expect
    .element(region.getByRole('link', { name: 'Get alerts about new reports' }))
    .toHaveAttribute('href', '/account/alerts')
  await expect
    .element(cases)
    .toMatchTextContent(/^Rook.*Device, public · Gives somebody’s privacy away · 8 reports/)
  await expect.element(page.getByText('My sister lives there.')).not.toBeVisible()
  await expectAccessible()
  await openRow('Rook')
  for (const text of [
    'Gives somebody’s privacy away',
    'My sister lives there.',
    'ada',
    'and 7 earlier reports',
  ]) {
    await expect.element(region).toMatchTextContent(text)
  }
  const author = region.getByRole('link', { name: 'eve' })
  await expect.element(author).toHaveAttribute('href', '/mothership/users?user=eve')
  await expectAccessible()
})

test('hiding sends the edited reason and closes the case', async () => {
  const { hides } = answerReports(sampleCase())
  await openOperator('/reports')
  await openRow('Rook')
  await expect.element(reason).toHaveValue('It gives somebody’s privacy away.')
  await expect
    .element(reason)
    .toHaveAccessibleDescription(/^If you hide it, it disappears from the globe/)
  await reason.fill('A home address.')
  await button('Hide Rook').click()
  await expect.element(page.getByText('Nothing is reported')).toBeVisible()
  expect(hides).toMatchObject([
    { params: { kind: 'device', id: 'device-1' }, body: { reason: 'A home address.' } },
  ])
  await expect.element(page.getByText('Rook is hidden').first()).toBeVisible()
})

test('dismissing removes only that case and keeps the focus in the list', async () => {
  const other = sampleCase({ subject: { kind: 'device', id: 'device-2' } })
  const { dismissals } = answerReports(sampleCase(), other)
  await openOperator('/reports')
  await expect.element(cases).toHaveLength(2)
  await openRow('Rook')
  await button('Dismiss the reports of Rook').first().click()
  await expect.element(cases).toHaveLength(1)
  expect(dismissals).toMatchObject([{ params: { kind: 'device', id: 'device-1' } }])
  await expect.poll(() => document.activeElement?.contains(cases.element())).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
})

test('reports of a deleted subject can only be dismissed; a new name is shown', async () => {
  const renamed = sampleCase({ id: 'b', subject: { kind: 'device', id: 'device-2' } })
  const thing = { name: 'Innocent', link: null, author: 'eve', isPublic: false, hidden: null }
  answerReports(sampleCase({ thing: null }), { ...renamed, thing })
  await openOperator('/reports')
  await expect.element(cases.first()).toMatchTextContent('It is deleted')
  await page.getByRole('heading', { name: 'Rook' }).last().click()
  await expect.element(button('Hide Rook')).toHaveLength(1)
  const region = page.getByRole('region', { name: 'Reports' })
  await expect.element(region).toMatchTextContent('It is called Innocent now.')
  await expect.element(region).toMatchTextContent('not for everybody')
})

test('islands and log entries name their kind and the reader of the reason', async () => {
  const island = { name: 'Harbor Bar', link: null, author: '' }
  answerReports(
    sampleCase({
      subject: { kind: 'island', id: 'island-1' },
      thing: { ...island, isPublic: true, hidden: null },
      reportedAs: island,
    }),
    sampleCase({ subject: { kind: 'log-entry', id: 'line-1' } }),
  )
  await openOperator('/reports')
  const region = page.getByRole('region', { name: 'Reports' })
  for (const text of ['Island of this server', 'Line in a log of eve']) {
    await expect.element(region).toMatchTextContent(text)
  }
  await openRow('Harbor Bar')
  await openRow('Rook')
  await expect.element(page.getByLabelText('What its host will read')).toBeVisible()
  await expect.element(page.getByLabelText('What its author will read')).toBeVisible()
})

test('a message in a room is deleted, which is final', async () => {
  const message = sampleCase({ subject: { kind: 'room-message', id: 'room1-7' } })
  const { hides } = answerReports(message)
  await openOperator('/reports')
  await openRow('Rook')
  const why = page.getByRole('textbox', { name: 'Why, for the audit log' })
  await expect.element(why).toHaveAccessibleDescription(/for everybody\. It can’t be shown again/)
  await button('Delete Rook').click()
  await expect.element(page.getByText('Nothing is reported')).toBeVisible()
  expect(hides).toMatchObject([{ params: { kind: 'room-message', id: 'room1-7' } }])
  await expect.element(page.getByText('Rook is deleted').first()).toBeVisible()
})

test('a failed action shows an error and can be retried', async () => {
  answerReports(sampleCase())
  answerApi(hideSubject, refused('overloaded'))
  await openOperator('/reports')
  await openRow('Rook')
  await button('Hide Rook').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('too busy')
  await expect.element(button('Hide Rook')).toBeEnabled()
})

test('cases load page by page', async () => {
  const many = Array.from({ length: 45 }, (_, index) =>
    sampleCase({ subject: { kind: 'device', id: `device-${index}` } }),
  )
  answerReports(...many)
  await openOperator('/reports')
  await expect.element(page.getByRole('heading', { name: 'Rook' })).toHaveLength(20)
  await button('Show more').click()
  await expect.element(page.getByRole('heading', { name: 'Rook' })).toHaveLength(40)
})

test('a hidden subject in a settled case can be shown again', async () => {
  const hidden = { at, reason: 'It is rude.' }
  const thing = { name: 'Rook', link: null, author: 'eve', isPublic: true, hidden }
  const settled = sampleCase({ thing, settled: { outcome: 'hidden', at } })
  const body = { cases: [settled], openCount: 0, hasMore: false }
  const asked = answerApi(listReports, { status: 200, body })
  const shows = answerApi(showSubject, { status: 204 })
  await openOperator('/reports?state=settled')
  await openRow('Rook')
  await expect.element(page.getByText('It is rude.')).toBeVisible()
  expect(asked[0]?.query).toMatchObject({ state: 'settled' })
  await button('Show Rook again').click()
  await expect.element(page.getByText('Rook is shown again').first()).toBeVisible()
  expect(shows).toMatchObject([{ params: { kind: 'device', id: 'device-1' } }])
})
