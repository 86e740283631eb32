import { deleteLogEntry, leaveNote, sendSignal } from '@astropelago/contract/island-log'
import { sendReport } from '@astropelago/contract/reports'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { sampleView } from '../../test/sample-island.ts'
import { sampleLogEntry } from '../../test/sample-log-entry.ts'
import { sampleUser as user } from '../../test/samples.ts'
import { islandParts as parts, openIsland } from './testing/open-island.tsx'

const leave = parts.button('Leave note')

test('a note sent by keyboard comes first, and an empty one is refused', async () => {
  const { server } = await openIsland(sampleView(), { user, entries: [sampleLogEntry()] })
  const left = answerApi(leaveNote, ({ body }) => {
    const entry = sampleLogEntry({ author: user.username, text: body.text, mayDelete: true })
    server.entries = [entry, ...server.entries]
    return { status: 201, body: entry }
  })
  await leave.click()
  await expect.element(parts.note).toHaveFocus()
  await expect.element(parts.note).toHaveAccessibleDescription('Write a few words first.')
  await userEvent.keyboard('Fair winds{Tab}{Enter}')
  await expect.element(parts.lines.first()).toMatchTextContent('Fair winds')
  await expect.element(parts.note).toHaveValue('')
  expect(left.map(({ body }) => body)).toEqual([{ text: 'Fair winds' }])
})

test('a refused note stays in its field, even after a reload', async () => {
  answerApi(leaveNote, refused('note_limit'))
  await openIsland(sampleView(), { user })
  await parts.note.fill('Fair winds')
  await leave.click()
  const alert = parts.log.getByRole('alert')
  await expect.element(alert).toMatchTextContent('You can’t leave more notes today')
  await expect.element(parts.note).toHaveValue('Fair winds')
  expect(window.sessionStorage.getItem('astropelago.draft.note.harbor')).toBe(
    '{"text":"Fair winds"}',
  )
})

test('a signal’s time is typed in local time and sent in UTC', async () => {
  const { server } = await openIsland(sampleView({ role: 'host', mayJoin: false }), { user })
  const sent = answerApi(sendSignal, ({ body: { text, eventAt } }) => {
    const entry = sampleLogEntry({ kind: 'signal', author: 'Keeper', text, eventAt })
    server.entries = [entry]
    return { status: 201, body: entry }
  })
  await parts.log.getByRole('textbox', { name: 'Send a signal' }).fill('Film night')
  await parts.log.getByLabelText(/When it happens/).fill('2030-01-31T20:00')
  await parts.button('Send signal').click()
  // Tests run in UTC. The time zone follows the time.
  await expect.element(parts.lines.first()).toMatchTextContent('Thu, Jan 31, 2030, 20:00 UTC')
  expect(sent.map(({ body }) => body)).toEqual([
    { text: 'Film night', eventAt: new Date('2030-01-31T20:00').toISOString() },
  ])
})

test('own entries are deleted after a confirmation, and others can be reported', async () => {
  const own = sampleLogEntry({ id: 'own', author: user.username, text: 'Mine', mayDelete: true })
  const other = sampleLogEntry({ id: 'other', text: 'Theirs' })
  const { server } = await openIsland(sampleView(), { user, entries: [own, other] })
  const deleted = answerApi(deleteLogEntry, () => {
    server.entries = [other]
    return { status: 204 }
  })
  await expectAccessible()
  await parts.button(`Delete the note by ${user.username}`).click()
  await expect.element(parts.button('Keep it')).toHaveFocus()
  await parts.button('Delete it').click()
  await expect.element(parts.lines.nth(1)).not.toBeInTheDocument()
  expect(deleted.map(({ params }) => params.id)).toEqual(['own'])

  const reports = answerApi(sendReport, { status: 204 })
  await parts.button('Report the note by nova').click()
  const dialog = page.getByRole('dialog', { name: 'Report this line' })
  await dialog.getByRole('radio', { name: 'It is spam or advertising' }).click()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(reports.map(({ body: { kind, id } }) => ({ kind, id }))).toEqual([
    { kind: 'log-entry', id: 'other' },
  ])
})

test('the author sees that the operator hid an entry', async () => {
  const hidden = { at: '2025-01-02T03:04:05.000Z', reason: 'Names somebody’s street.' }
  await openIsland(sampleView(), { user, entries: [sampleLogEntry({ hidden })] })
  await expect.element(parts.lines.first()).toMatchTextContent('Names somebody’s street.')
})

test('earlier entries can be loaded', async () => {
  await openIsland(sampleView(), {
    user,
    log: (after) =>
      after === undefined
        ? { entries: [sampleLogEntry({ text: 'Late' })], next: 'cursor' }
        : { entries: [sampleLogEntry({ text: `Early, after ${after}` })], next: null },
  })
  await parts.button('Show earlier').click()
  await expect.element(parts.lines.nth(1)).toMatchTextContent('Early, after cursor')
  await expect.element(parts.button('Show earlier')).not.toBeInTheDocument()
})
