import { errors } from '@astropelago/contract/errors'
import { deleteMe, exportOwnData, getOwnData } from '@astropelago/contract/own-data'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { watchDepartures } from '../../test/departures.ts'
import { sampleUser } from '../../test/samples.ts'
import { account, connectionFailed, openAccountPart } from './testing/open-account.tsx'

const ownData = [
  { kind: 'devices', count: 3, text: '3 devices with their tokens' },
  { kind: 'key-values', count: 0, text: '0 values' },
  { kind: 'sessions', count: 1, text: '1 session' },
]

async function openData(user = sampleUser) {
  answerApi(getOwnData, { status: 200, body: ownData })
  await openAccountPart('data', user)
  await expect.element(card).toBeVisible()
}

const card = account.card('Your data')

describe('what there is', () => {
  test('is listed in the server’s words, without empty kinds', async () => {
    await openData()
    await expect
      .element(card.getByRole('listitem').nth(0))
      .toHaveTextContent('3 devices with their tokens')
    expect(card.getByRole('listitem').length).toBe(2)
  })

  test('is given as a file with all that the server sent', async () => {
    const saved: Blob[] = []
    const made = vi.spyOn(URL, 'createObjectURL')
    made.mockImplementation((blob) => {
      if (blob instanceof Blob) saved.push(blob)
      return 'data:application/json,'
    })
    const names: string[] = []
    const pressed = vi.spyOn(HTMLAnchorElement.prototype, 'click')
    pressed.mockImplementation(function press(this: HTMLAnchorElement) {
      names.push(this.download)
    })
    onTestFinished(() => {
      made.mockRestore()
      pressed.mockRestore()
    })
    const body = { exportedAt: '2026-11-22T03:04:05.000Z', account: { name: 'Ada' }, devices: [1] }
    answerApi(exportOwnData, { status: 200, body })
    await openData()
    await card.getByRole('button', { name: 'Download as JSON' }).click()
    await expect.poll(() => names).toEqual([`astropelago-${sampleUser.username}-2026-11-22.json`])
    expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual(body)
  })

  test('an export that is refused or not answered says so', async () => {
    answerApi(exportOwnData, refused('rate_limited'))
    await openData()
    const download = card.getByRole('button', { name: 'Download as JSON' })
    await download.click()
    await expect.element(card.getByRole('alert')).toHaveTextContent(errors.rate_limited.sentence)
    answerApi(exportOwnData, 'dropped')
    await download.click()
    await expect.element(card.getByRole('alert')).toHaveTextContent(connectionFailed)
  })
})

describe('Delete your account', () => {
  const question = page.getByRole('dialog', { name: 'Delete your account?' })
  const typed = question.getByLabelText(`Type your username, ${sampleUser.username}, to confirm`)
  const password = question.getByLabelText('Your password')
  const goOn = question.getByRole('button', { name: 'Delete account for good' })

  async function openQuestion() {
    await openData()
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await expect.element(typed).toHaveFocus()
  }

  test('it comes last, says what will go, and takes the username and the password', async () => {
    await openQuestion()
    await expect.element(question).toMatchTextContent(/3 devices with their tokens/)
    const asked = answerApi(deleteMe, { status: 204 })
    const departures = watchDepartures()
    await goOn.click()
    await expect
      .element(typed)
      .toHaveAccessibleDescription(`Type ${sampleUser.username} if you are sure`)
    await typed.fill(sampleUser.username)
    await goOn.click()
    await expect.element(password).toHaveAccessibleDescription('Enter your password')
    await expect.element(password).toHaveFocus()
    expect(asked).toEqual([])
    await password.fill('a long passphrase')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => departures).toEqual([{ type: 'push', to: '/' }])
    expect(asked).toMatchObject([{ body: { password: 'a long passphrase' } }])
    const headings = page.getByRole('heading', { level: 2, includeHidden: true }).elements()
    expect(headings.at(-2)?.textContent).toBe('Delete your account')
  })

  test('a wrong password is an error of its field; Keep my account deletes nothing', async () => {
    await openQuestion()
    answerApi(deleteMe, refused('wrong_password'))
    await typed.fill(sampleUser.username)
    await password.fill('not this one')
    await goOn.click()
    await expect.element(password).toHaveAccessibleDescription(errors.wrong_password.sentence)
    await expect.element(password).toHaveFocus()
    answerApi(deleteMe, 'dropped')
    await goOn.click()
    await expect.element(question.getByRole('alert')).toHaveTextContent(connectionFailed)
    await expect.element(password).toHaveValue('not this one')
    await expectAccessible(question)
    await question.getByRole('button', { name: 'Keep my account' }).click()
    await expect.element(question).not.toBeInTheDocument()
    await expect.element(page.getByRole('button', { name: 'Delete account…' })).toHaveFocus()
  })
})

test('a demo account sees what there is, and that it goes by itself', async () => {
  await openData({ ...sampleUser, isDemo: true })
  await expect.element(page.getByText(/^This is a demo account/)).toBeVisible()
  expect(card.getByRole('button').length).toBe(0)
  await expect.element(account.card('Delete your account')).not.toBeInTheDocument()
})

test('axe finds nothing', async () => {
  await openData()
  await expect.element(account.card('Delete your account')).toBeVisible()
  await expectAccessible()
})
