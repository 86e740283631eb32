import { importDevices, type ImportReport } from '@astropelago/contract/devices-csv'
import { importMaxBytes } from '@astropelago/contract/limits'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { account, connectionFailed, openAccount } from './testing/open-account.tsx'

const dialog = account.dialog('Import devices')
const chooser = dialog.getByLabelText('Choose a CSV file')
const importButton = dialog.getByRole('button', { name: 'Import', exact: true })
const rows = dialog.getByRole('table', { name: 'Lines of the file' }).getByRole('row')

function reportOf(details: Partial<ImportReport> = {}): ImportReport {
  return {
    isDryRun: true,
    created: 1,
    updated: 1,
    unchanged: 0,
    failed: 0,
    lines: [
      { line: 2, action: 'create', label: 'Roof' },
      { line: 3, action: 'update', label: 'Cellar' },
    ],
    errors: [],
    tokens: null,
    ...details,
  }
}

async function openDialog() {
  await openAccount()
  await page.getByRole('button', { name: 'Import CSV' }).click()
  await expect.element(dialog).toBeVisible()
}

function csvFile(text: string): File {
  return new File([text], 'fleet.csv', { type: 'text/csv' })
}

test('a file is shown line by line before it is imported, and then what was done', async () => {
  const tokens = 'id,label,token\r\n1,Roof,apd_x\r\n'
  const asked = answerApi(importDevices, ({ query }) => ({
    status: 200,
    body: query.dryRun === 'true' ? reportOf() : reportOf({ isDryRun: false, tokens }),
  }))
  await openDialog()
  await expectAccessible(dialog)
  await chooser.upload(csvFile('label,lat,lon\nRoof,1,2'))
  await expect.element(dialog.getByRole('heading', { name: '1 new, 1 changed' })).toHaveFocus()
  await expect.element(rows.nth(1)).toMatchTextContent('2RoofNew')
  await expect.element(rows.nth(2)).toMatchTextContent('3CellarChanged')
  await dialog.getByLabelText('Make a device token for each new device').click()
  await importButton.click()
  await expect
    .element(dialog.getByRole('heading', { name: 'Imported: 1 registered, 1 changed' }))
    .toHaveFocus()
  expect(asked).toEqual([
    expect.objectContaining({ query: { dryRun: 'true', tokens: 'false', precision: 'exact' } }),
    expect.objectContaining({
      query: { dryRun: 'false', tokens: 'true', precision: 'km10' },
      body: 'label,lat,lon\nRoof,1,2',
    }),
  ])
  await dialog.getByRole('button', { name: 'Copy all tokens' }).click()
  await expect.element(dialog.getByText('Copied', { exact: true }).first()).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(tokens)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a file with mistakes shows those, line by line, and can’t be imported before it is mended', async () => {
  const mistaken = reportOf({
    created: 1,
    updated: 0,
    failed: 1,
    lines: [
      { line: 2, action: 'create', label: 'Roof' },
      { line: 3, action: 'error', label: '' },
    ],
    errors: [
      { line: 3, column: 'label', message: 'This is missing.' },
      { line: 3, column: null, message: 'This line has more cells than there are columns.' },
    ],
  })
  answerApi(importDevices, { status: 200, body: mistaken })
  await openDialog()
  await chooser.upload(csvFile('label,lat,lon\nRoof,1,2\n,3,4,5'))
  await expect
    .element(dialog.getByRole('heading', { name: 'One line can’t be used' }))
    .toHaveFocus()
  await expect.element(rows.nth(1)).toMatchTextContent(/^3without a labelCan’t be used/)
  await expect.element(rows.nth(1)).toMatchTextContent(/label: This is missing\./)
  await expect.element(rows.nth(1)).toMatchTextContent(/more cells than there are columns/)
  await expect.element(rows.nth(2)).not.toBeInTheDocument()
  await expect.element(importButton).not.toBeInTheDocument()
  await expectAccessible(dialog)

  answerApi(importDevices, { status: 200, body: reportOf() })
  await chooser.upload(csvFile('label,lat,lon\nRoof,1,2\nCellar,3,4'))
  await expect.element(importButton).toBeVisible()
})

test('a file that would change nothing has nothing to import', async () => {
  const same = reportOf({
    created: 0,
    updated: 0,
    unchanged: 1,
    lines: [{ line: 2, action: 'unchanged', label: 'Roof' }],
  })
  answerApi(importDevices, { status: 200, body: same })
  await openDialog()
  await chooser.upload(csvFile('x'))
  await expect.element(dialog.getByRole('heading', { name: '1 as it is' })).toBeVisible()
  await expect.element(importButton).not.toBeInTheDocument()
})

test('without an answer, or with too large a file, it says so and another one can be chosen', async () => {
  const asked = answerApi(importDevices, 'dropped')
  await openDialog()
  await chooser.upload(csvFile('x'.repeat(importMaxBytes + 1)))
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/larger than 512 kB/)
  expect(asked).toHaveLength(0)
  await chooser.upload(csvFile('label,lat,lon'))
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(connectionFailed)
  answerApi(importDevices, { status: 200, body: reportOf() })
  await chooser.upload(csvFile('label,lat,lon'))
  await expect.element(importButton).toBeVisible()
  answerApi(importDevices, 'dropped')
  await importButton.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(connectionFailed)
  await expect.element(importButton).toBeEnabled()
})

test('devices are exported by a plain link', async () => {
  await openAccount()
  const link = page.getByRole('link', { name: 'Export CSV' })
  await expect.element(link).toHaveAttribute('href', '/api/me/devices.csv')
  await expect.element(link).toHaveAttribute('download', 'devices.csv')
})
