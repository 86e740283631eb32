import { type CheckImportReport, importChecks } from '@astropelago/contract/check-import'
import { checkImportNotes } from '@astropelago/contract/check-import-notes'
import { checkImportMaxBytes } from '@astropelago/contract/limits'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../../test/accessibility.ts'
import { answerApi, refused } from '../../../test/answer-api.ts'
import { openScreen } from '../../../test/open-screen.tsx'
import { sampleUser as user } from '../../../test/samples.ts'
import { answerOwnChecks, sampleCheck } from '../testing/answer-checks.ts'

const dialog = page.getByRole('dialog', { name: 'Import checks' })
const chooser = dialog.getByLabelText('Choose kuma.db or checks.json')
const importButton = dialog.getByRole('button', { name: 'Import', exact: true })
const rows = dialog.getByRole('table', { name: 'What is in the file' }).getByRole('row')

const line = { of: 'monitor' as const, becomes: null, isPaused: false, notes: [] }

function reportOf(details: Partial<CheckImportReport> = {}): CheckImportReport {
  return {
    isDryRun: true,
    created: 2,
    updated: 1,
    unchanged: 0,
    left: 1,
    newChecks: 1,
    room: 200,
    lines: [
      { ...line, name: 'Shop', kind: 'keyword', action: 'update', becomes: 'http' },
      {
        ...line,
        name: 'Router',
        kind: 'http',
        action: 'create',
        becomes: 'http',
        isPaused: true,
        notes: [checkImportNotes.privateTarget],
      },
      { ...line, of: 'channel', name: 'Phone', kind: 'ntfy', action: 'create', becomes: 'ntfy' },
      {
        ...line,
        name: 'Paperless',
        kind: 'docker',
        action: 'leave',
        notes: [checkImportNotes.noKind('docker')],
      },
    ],
    ...details,
  }
}

async function openDialog(...checks: Parameters<typeof answerOwnChecks>) {
  answerOwnChecks(...checks)
  await openScreen('/checks', { user })
  await page.getByRole('button', { name: 'Import' }).click()
  await expect.element(dialog).toBeVisible()
}

const database = new File(['SQLite format 3\0…'], 'kuma.db')

test('a database is shown line by line before it is imported, and then what was done', async () => {
  const asked = answerApi(importChecks, ({ query }) => ({
    status: 200,
    body: reportOf({ isDryRun: query.dryRun === 'true' }),
  }))
  await openDialog()
  await expectAccessible(dialog)
  await chooser.upload(database)
  await expect
    .element(dialog.getByRole('heading', { name: '2 new, 1 changed, 1 left out' }))
    .toHaveFocus()
  await expect.element(rows.nth(1)).toMatchTextContent('ShopkeywordChanged, Website')
  await expect
    .element(rows.nth(2))
    .toMatchTextContent(/^RouterhttpNew, Website, pausedOnly your own network can reach it/)
  await expect.element(rows.nth(3)).toMatchTextContent('PhonentfyNew, ntfy')
  await expect.element(rows.nth(4)).toMatchTextContent(/^PaperlessdockerLeft outThere are no/)
  await expectAccessible(dialog)
  answerOwnChecks(sampleCheck({ name: 'Shop' }))
  await importButton.click()
  await expect
    .element(dialog.getByRole('heading', { name: 'Imported: 2 new, 1 changed, 1 left out' }))
    .toHaveFocus()
  expect(asked.map(({ query }) => query)).toEqual([
    { from: 'kuma', dryRun: 'true' },
    { from: 'kuma', dryRun: 'false' },
  ])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: 'Shop' })).toBeVisible()
})

test('a list of Healthchecks is known by what is in it', async () => {
  const asked = answerApi(importChecks, { status: 200, body: reportOf() })
  await openDialog(sampleCheck())
  await chooser.upload(new File(['\n{"checks": []}'], 'list.txt'))
  await expect.element(importButton).toBeVisible()
  expect(asked[0]?.query.from).toBe('healthchecks')
})

test('without room, or with nothing to import, there is no button', async () => {
  answerApi(importChecks, { status: 200, body: reportOf({ newChecks: 70, room: 20 }) })
  await openDialog()
  await chooser.upload(database)
  await expect
    .element(dialog.getByRole('alert'))
    .toHaveTextContent('There are 70 new checks, and you have room for 20.')
  await expect.element(importButton).not.toBeInTheDocument()
  answerApi(importChecks, { status: 200, body: reportOf({ created: 0, updated: 0, newChecks: 0 }) })
  await chooser.upload(new File(['SQLite format 3\0'], 'again.db'))
  await expect.element(dialog.getByRole('heading', { name: '1 left out' })).toBeVisible()
  await expect.element(importButton).not.toBeInTheDocument()
})

test('a file that can’t be read is refused with the server’s sentence, and a large one before that', async () => {
  const sentence = 'This database is damaged or incomplete.'
  const asked = answerApi(importChecks, refused('invalid_import', { file: sentence }))
  await openDialog()
  await chooser.upload(new File([new Uint8Array(checkImportMaxBytes + 1)], 'kuma.db'))
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/larger than 20 MB/)
  expect(asked).toHaveLength(0)
  await chooser.upload(database)
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(sentence)
  answerApi(importChecks, 'dropped')
  await chooser.upload(database)
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/connection failed/)
})
