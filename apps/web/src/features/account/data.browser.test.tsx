import { errors } from '@astropelago/contract/errors'
import {
  deleteIslandHolding,
  exportIslandHolding,
  type IslandHolding,
  listIslandHoldings,
} from '@astropelago/contract/island-data'
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

async function openData(user = sampleUser, holdings: readonly IslandHolding[] = []) {
  answerApi(getOwnData, { status: 200, body: ownData })
  answerApi(listIslandHoldings, { status: 200, body: [...holdings] })
  await openAccountPart('data', user)
  await expect.element(card).toBeVisible()
}

/** The names and contents of the files that the browser saves from now on. */
function watchSaving() {
  const saved = { names: new Array<string>(), files: new Array<Blob>() }
  const made = vi.spyOn(URL, 'createObjectURL')
  made.mockImplementation((blob) => {
    if (blob instanceof Blob) saved.files.push(blob)
    return 'data:application/json,'
  })
  const pressed = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  pressed.mockImplementation(function press(this: HTMLAnchorElement) {
    saved.names.push(this.download)
  })
  onTestFinished(() => {
    made.mockRestore()
    pressed.mockRestore()
  })
  return saved
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
    const { names, files } = watchSaving()
    const body = { exportedAt: '2026-11-22T03:04:05.000Z', account: { name: 'Ada' }, devices: [1] }
    answerApi(exportOwnData, { status: 200, body })
    await openData()
    await card.getByRole('button', { name: 'Download as JSON' }).click()
    await expect.poll(() => names).toEqual([`astropelago-${sampleUser.username}-2026-11-22.json`])
    expect(JSON.parse((await files[0]?.text()) ?? '')).toEqual(body)
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

describe('what islands hold', () => {
  const holdings = account.card('What islands hold of you')
  const bar = {
    island: { id: 'bar', slug: 'harbor-bar', name: 'Harbor Bar' },
    values: 2,
    valueBytes: 1234,
    messages: 1,
  }
  const gone = { ...bar, island: { id: 'gone', slug: null, name: null }, values: 0 }

  test('is listed by island, saved as a file and deleted for good', async () => {
    const { names, files } = watchSaving()
    const body = { values: [], messages: [{ room: 'guests', at: '2026-01-02', value: 'Hi' }] }
    answerApi(exportIslandHolding, { status: 200, body })
    const deleted = answerApi(deleteIslandHolding, { status: 204 })
    await openData(sampleUser, [bar, gone])
    const [first, second] = [
      holdings.getByRole('listitem').nth(0),
      holdings.getByRole('listitem').nth(1),
    ]
    await expect.element(first).toMatchTextContent('2 values (1.3 kB) and 1 message')
    await expect.element(second).toMatchTextContent(/you can’t see any more.*1 message/)
    const link = first.getByRole('link', { name: 'Harbor Bar' })
    await expect.element(link).toHaveAttribute('href', '/islands/harbor-bar')
    await expectAccessible()
    await holdings.getByRole('button', { name: 'Download what Harbor Bar holds of you' }).click()
    await expect.poll(() => names).toEqual([`astropelago-${sampleUser.username}-harbor-bar.json`])
    expect(JSON.parse((await files[0]?.text()) ?? '')).toEqual(body)
    await holdings.getByRole('button', { name: 'Delete what Harbor Bar holds of you' }).click()
    expect(deleted).toEqual([])
    await holdings.getByRole('button', { name: 'Delete it' }).click()
    await expect.element(first).toMatchTextContent('you can’t see any more')
    expect(deleted.map(({ params }) => params)).toEqual([{ id: 'bar' }])
  })

  test('is nothing at first', async () => {
    await openData()
    await expect.element(holdings).toMatchTextContent('Islands hold nothing of you')
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
