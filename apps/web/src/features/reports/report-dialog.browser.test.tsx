import { type NewReport, sendReport } from '@astropelago/contract/reports'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openPart } from '../../test/open-screen.tsx'
import { useReportDialog } from './use-report-dialog.tsx'

const dialog = page.getByRole('dialog', { name: 'Report this device' })
const send = dialog.getByRole('button', { name: 'Send report' })
const text = dialog.getByRole('textbox')

function Part() {
  const { open, dialog: opened } = useReportDialog()
  return (
    <>
      <button type="button" onClick={() => open({ kind: 'device', id: 'rook', name: 'Rook' })}>
        Report
      </button>
      {opened}
    </>
  )
}

async function openDialog() {
  await openPart(<Part />)
  await page.getByRole('button', { name: 'Report' }).click()
  await expect.element(dialog).toMatchTextContent('Rook is shown to the operator of this server')
}

test('a report with a reason and a text is sent by keyboard and confirmed', async () => {
  const asked = answerApi(sendReport, { status: 204 })
  await openDialog()
  await expectAccessible(dialog)
  await send.click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Choose what is wrong with it.')
  await userEvent.keyboard(' {ArrowDown}{Tab}Every day.{Tab}{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText('Your report is sent').first()).toBeVisible()
  const report: NewReport = { kind: 'device', id: 'rook', reason: 'abuse', text: 'Every day.' }
  expect(asked.map(({ body }) => body)).toEqual([report])
})

test('the reason “something else” requires a text', async () => {
  const asked = answerApi(sendReport, { status: 204 })
  await openDialog()
  await dialog.getByRole('radio', { name: 'Something else' }).click()
  await send.click()
  await expect.element(text).toHaveFocus()
  await expect.element(text).toHaveAccessibleDescription(/Say in a few words what is wrong\./)
  expect(asked).toEqual([])
})

test('a refusal is shown in the dialog, which keeps the input', async () => {
  answerApi(sendReport, refused('not_found'))
  await openDialog()
  await dialog.getByRole('radio', { name: 'It is spam or advertising' }).click()
  await text.fill('Look')
  await send.click()
  await expect
    .element(dialog.getByRole('alert'))
    .toMatchTextContent('This device is no longer public.')
  await expect.element(text).toHaveValue('Look')
})
