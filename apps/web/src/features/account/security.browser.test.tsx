import { changeEmail, getOwnEmail, type OwnEmail } from '@astropelago/contract/email'
import { errors } from '@astropelago/contract/errors'
import { changePassword } from '@astropelago/contract/passwords'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '@astropelago/contract/sessions'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { sampleUser } from '../../test/samples.ts'
import { account, connectionFailed, openAccountPart } from './testing/open-account.tsx'

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

function sampleSession(details: Partial<Session> = {}): Session {
  return {
    id: crypto.randomUUID(),
    device: 'Firefox on Linux',
    addressFamily: 'IPv4',
    createdAt: hoursAgo(50),
    lastUsedAt: hoursAgo(3),
    isCurrent: false,
    ...details,
  }
}

const current = sampleSession({ device: 'Chrome on Windows', isCurrent: true })
const noEmail: OwnEmail = { address: null, pending: null, canSendMail: true }

interface Given {
  sessions?: Session[]
  email?: OwnEmail
}

/** Opens Security for a user with these sessions and this e-mail address. */
async function openSecurity({ sessions = [current], email = noEmail }: Given = {}) {
  answerApi(listSessions, () => ({ status: 200, body: sessions }))
  answerApi(getOwnEmail, { status: 200, body: email })
  await openAccountPart('security')
  await expect.element(account.card('Password')).toBeVisible()
}

describe('sessions', () => {
  const card = account.card('Where you are signed in')
  const items = card.getByRole('listitem')

  test('the current session comes first and can’t be ended here; others show their details', async () => {
    const phone = sampleSession({ device: null, addressFamily: 'IPv6', lastUsedAt: hoursAgo(0.4) })
    await openSecurity({ sessions: [sampleSession(), phone, current] })
    await expect.element(items.nth(0)).toMatchTextContent(/^Chrome on Windows.*in use now/)
    await expect.element(items.nth(0)).toMatchTextContent(/This browser$/)
    expect(items.nth(0).getByRole('button').length).toBe(0)
    await expect
      .element(items.nth(1))
      .toMatchTextContent(/^Firefox on Linuxsigned in 2 days ago over IPv4, last used 3 hours ago/)
    await expect
      .element(items.nth(2))
      .toMatchTextContent(/^Unknown browser.*over IPv6, used within the last hour/)
  })

  test('End asks first, then the session is gone from the list', async () => {
    const other = sampleSession()
    await openSecurity({ sessions: [current, other] })
    const asked = answerApi(endSession, { status: 204 })
    const end = card.getByRole('button', { name: 'End the session of Firefox on Linux' })
    await end.click()
    await expect.element(card.getByRole('button', { name: 'Keep it' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(end).toHaveFocus()
    expect(asked).toEqual([])
    await end.click()
    await card.getByRole('button', { name: 'End session' }).click()
    await expect.poll(() => items.length).toBe(1)
    expect(asked).toMatchObject([{ params: { id: other.id } }])
    await expect.element(card.getByRole('heading', { level: 2 })).toHaveFocus()
  })

  test('all others end together', async () => {
    await openSecurity({ sessions: [current, sampleSession(), sampleSession()] })
    answerApi(endOtherSessions, { status: 200, body: { ended: 2 } })
    await card.getByRole('button', { name: 'End all other sessions' }).click()
    await card.getByRole('button', { name: 'End 2 sessions' }).click()
    await expect.element(page.getByText('2 sessions ended', { exact: true })).toBeVisible()
    expect(items.length).toBe(1)
  })

  test('without an answer it says so, and the session stays', async () => {
    await openSecurity({ sessions: [current, sampleSession()] })
    answerApi(endSession, 'dropped')
    await card.getByRole('button', { name: /^End the session/ }).click()
    await card.getByRole('button', { name: 'End session' }).click()
    await expect.element(card.getByRole('alert')).toHaveTextContent(connectionFailed)
    expect(items.length).toBe(2)
  })
})

describe('password', () => {
  const card = account.card('Password')
  const present = card.getByLabelText('Current password')
  const next = card.getByLabelText('New password')
  const change = card.getByRole('button', { name: 'Change password' })
  const alert = card.getByRole('alert')

  test('is changed with the current and a new one; the sessions are refetched', async () => {
    const sessions = [current, sampleSession()]
    await openSecurity({ sessions })
    const asked = answerApi(changePassword, () => {
      sessions.pop()
      return { status: 204 as const }
    })
    await present.fill(' the old one ')
    await next.fill(' a new passphrase ')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Password changed', { exact: true })).toBeVisible()
    await expect.element(present).toHaveValue('')
    await expect.element(next).toHaveValue('')
    expect(asked).toMatchObject([
      { body: { password: ' the old one ', newPassword: ' a new passphrase ' } },
    ])
    await expect
      .poll(() => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem').length)
      .toBe(1)
  })

  test('errors that the form finds are shown at their fields, and nothing is sent', async () => {
    await openSecurity()
    for (const [typed, wanted, text, field] of [
      ['', 'a new passphrase', 'Enter your current password', present],
      ['the old one', '', 'Enter a new password', next],
      ['the old one', 'seven77', 'Password must be at least 8 characters', next],
      ['the old one', 'x'.repeat(129), 'Password must be at most 128 characters', next],
    ] as const) {
      await present.fill(typed)
      await next.fill(wanted)
      await change.click()
      await expect.element(alert).toHaveTextContent(text)
      await expect.element(field).toHaveFocus()
      await expect.element(field).toHaveAccessibleDescription(new RegExp(`^${text}`))
    }
  })

  test('errors of the server are shown where they belong, and the input stays', async () => {
    await openSecurity()
    await present.fill('the old one')
    await next.fill('correct horse')
    for (const [code, field] of [
      ['wrong_password', present],
      ['common_password', next],
      ['weak_password', next],
    ] as const) {
      answerApi(changePassword, refused(code))
      await change.click()
      await expect.element(alert).toHaveTextContent(errors[code].sentence)
      await expect.element(field).toHaveFocus()
    }
    answerApi(changePassword, refused('rate_limited'))
    await change.click()
    await expect.element(alert).toHaveTextContent(errors.rate_limited.sentence)
    answerApi(changePassword, 'dropped')
    await change.click()
    await expect.element(alert).toHaveTextContent(connectionFailed)
    await expect.element(present).toHaveValue('the old one')
    await expect.element(next).toHaveValue('correct horse')
  })
})

describe('e-mail address', () => {
  const card = account.card('E-mail address')
  const address = card.getByLabelText('New address')
  const password = card.getByLabelText('Your password')
  const send = card.getByRole('button', { name: 'Send the link' })
  const pending = { address: 'ada@example.org', expiresAt: hoursAgo(-24) }

  test('is added with the password, and then waits for the link in the mail', async () => {
    await openSecurity()
    const asked = answerApi(changeEmail, { status: 200, body: { ...noEmail, pending } })
    await card.getByRole('button', { name: 'Add an address' }).click()
    await expect.element(address).toHaveFocus()
    await address.fill(' ada@example.org ')
    await password.fill('a long passphrase')
    await userEvent.keyboard('{Enter}')
    await expect
      .element(card)
      .toMatchTextContent(/ada@example\.orgNot confirmed yet. Open the link/)
    await expect.element(card.getByRole('button', { name: 'Send again or change' })).toHaveFocus()
    expect(asked).toMatchObject([
      { body: { address: 'ada@example.org', password: 'a long passphrase' } },
    ])
  })

  test('an invalid address and a wrong password are errors of their fields', async () => {
    await openSecurity()
    await card.getByRole('button', { name: 'Add an address' }).click()
    await address.fill('ada')
    await send.click()
    await expect.element(address).toHaveAccessibleDescription(/^An e-mail address looks like/)
    await expect.element(address).toHaveFocus()
    await address.fill('ada@example.org')
    await send.click()
    await expect.element(password).toHaveAccessibleDescription('Enter your password')
    await password.fill('not this one')
    answerApi(changeEmail, refused('wrong_password'))
    await send.click()
    await expect.element(password).toHaveAccessibleDescription(errors.wrong_password.sentence)
    await expect.element(password).toHaveFocus()
    await expect.element(address).toHaveValue('ada@example.org')
  })

  test('is removed with the password', async () => {
    await openSecurity({ email: { ...noEmail, address: 'ada@example.org' } })
    await expect.element(card).toMatchTextContent('ada@example.orgConfirmed.')
    const asked = answerApi(changeEmail, { status: 200, body: noEmail })
    await card.getByRole('button', { name: 'Remove' }).click()
    await expect.element(password).toHaveFocus()
    await password.fill('a long passphrase')
    await card.getByRole('button', { name: 'Remove address' }).click()
    await expect.element(card.getByRole('button', { name: 'Add an address' })).toBeVisible()
    expect(asked).toMatchObject([{ body: { address: null, password: 'a long passphrase' } }])
  })

  test('where the server sends no e-mail it says so, and offers no address', async () => {
    await openSecurity({ email: { ...noEmail, canSendMail: false } })
    await expect.element(card).toMatchTextContent(/This server sends no e-mail/)
    expect(card.getByRole('button').length).toBe(0)
  })
})

test('a demo account sees its sessions, and what it can’t have', async () => {
  answerApi(listSessions, { status: 200, body: [current] })
  await openAccountPart('security', { ...sampleUser, isDemo: true })
  await expect.element(page.getByText(/^This is a demo account/)).toBeVisible()
  await expect.element(account.card('Where you are signed in')).toBeVisible()
  await expect.element(account.card('Password')).not.toBeInTheDocument()
})

test('axe finds nothing, with questions and forms open', async () => {
  const device = 'W'.repeat(60)
  await openSecurity({
    sessions: [current, sampleSession({ device }), sampleSession()],
    email: { ...noEmail, address: `${'w'.repeat(60)}@example.org` },
  })
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('button', { name: `End the session of ${device}` }).click()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect.element(page.getByRole('alert').first()).toBeVisible()
  await expectAccessible()
})
