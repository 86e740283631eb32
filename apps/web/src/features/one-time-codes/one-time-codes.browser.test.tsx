import { confirmChannel, unsubscribeChannel } from '@astropelago/contract/alert-channels'
import { confirmEmail } from '@astropelago/contract/email'
import { errors } from '@astropelago/contract/errors'
import { resetPassword } from '@astropelago/contract/passwords'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react/pure'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openScreen } from '../../test/open-screen.tsx'

const bare = '0123456789ABCDEFGHJKMNPQR'
const alert = page.getByRole('alert')

describe('a new password by a code', () => {
  const code = page.getByLabelText('Code')
  const password = page.getByLabelText('New password')
  const set = page.getByRole('button', { name: 'Set the password' })

  test('the code in the address is taken as it is; then one can sign in', async () => {
    const asked = answerApi(resetPassword, { status: 200, body: { username: 'ada' } })
    await openScreen(`/reset-password#${bare}`)
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('New password')
    expect(code.length).toBe(0)
    await password.fill(' a new passphrase ')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText(/^The new password of ada is set/)).toBeVisible()
    expect(asked).toMatchObject([{ body: { code: bare, newPassword: ' a new passphrase ' } }])
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
  })

  test('a code is typed in any case, with hyphens or without', async () => {
    const asked = answerApi(resetPassword, { status: 200, body: { username: 'ada' } })
    await openScreen('/reset-password')
    await code.fill(' o1234-56789-abcde-fghjk-mnpqr ')
    await password.fill('a new passphrase')
    await set.click()
    await expect.poll(() => asked).toMatchObject([{ body: { code: bare } }])
  })

  test('missing values and invalid codes are errors of their fields, and nothing is sent', async () => {
    await openScreen('/reset-password')
    for (const [typed, wanted, text, field] of [
      ['', 'a new passphrase', 'Enter the code that you got', code],
      ['12345', 'a new passphrase', 'A code has five groups of five letters and digits', code],
      [bare, '', 'Enter a new password', password],
      [bare, 'seven77', 'Password must be at least 8 characters', password],
    ] as const) {
      await code.fill(typed)
      await password.fill(wanted)
      await set.click()
      await expect.element(alert).toHaveTextContent(text)
      await expect.element(field).toHaveFocus()
    }
    await expectAccessible()
  })

  test('a code in the address that is no longer good gives way to another one', async () => {
    answerApi(resetPassword, refused('invalid_code'))
    await openScreen(`/reset-password#${bare}`)
    await password.fill('a new passphrase')
    await set.click()
    await expect.element(alert).toHaveTextContent(errors.invalid_code.sentence)
    await expect.element(code).toHaveFocus()
    await expect.element(password).toHaveValue('a new passphrase')
    answerApi(resetPassword, refused('common_password'))
    await code.fill(bare)
    await set.click()
    await expect.element(alert).toHaveTextContent(errors.common_password.sentence)
    await expect.element(password).toHaveFocus()
    answerApi(resetPassword, 'dropped')
    await set.click()
    await expect.element(alert).toMatchTextContent(/^The connection failed/)
  })
})

describe('an e-mail address', () => {
  const confirm = page.getByRole('button', { name: 'Confirm this address' })

  test('is confirmed by a press, not by opening the link', async () => {
    const body = { username: 'ada', address: 'ada@example.org' }
    const asked = answerApi(confirmEmail, { status: 200, body })
    await openScreen(`/confirm-email#${bare}`)
    await expect.element(confirm).toBeVisible()
    expect(asked).toEqual([])
    await confirm.click()
    await expect
      .element(page.getByRole('paragraph').filter({ hasText: /^ada@example.org is now the/ }))
      .toHaveFocus()
    expect(asked).toMatchObject([{ body: { code: bare } }])
    await expect
      .element(page.getByRole('link', { name: 'Go to your account' }))
      .toHaveAttribute('href', '/account/security')
    await expectAccessible()
  })

  test('a code that is used up says so', async () => {
    answerApi(confirmEmail, refused('invalid_code'))
    await openScreen(`/confirm-email#${bare}`)
    await confirm.click()
    await expect.element(alert).toHaveTextContent(errors.invalid_code.sentence)
  })

  test('an address without a code says what to open', async () => {
    await openScreen('/confirm-email#what')
    await expect.element(page.getByText(/^This link has no code/)).toBeVisible()
    expect(confirm.length).toBe(0)
  })
})

describe('alerts by e-mail', () => {
  const confirm = page.getByRole('button', { name: 'Send alerts here' })
  const end = page.getByRole('button', { name: 'Send nothing more' })

  test('begin with a press, even for signed-out users', async () => {
    const asked = answerApi(confirmChannel, { status: 200, body: { address: 'ada@example.org' } })
    await openScreen(`/confirm-channel#${bare}`)
    await expect.element(confirm).toBeVisible()
    expect(asked).toEqual([])
    await confirm.click()
    await expect
      .element(
        page.getByRole('paragraph').filter({ hasText: /^Alerts are now sent to ada@example.org/ }),
      )
      .toHaveFocus()
    expect(asked).toMatchObject([{ body: { code: bare } }])
    await expectAccessible()
  })

  test('end by a press, with the code of a mail’s text or of its header', async () => {
    for (const address of [`/unsubscribe#${bare}`, `/unsubscribe?code=${bare}`]) {
      const asked = answerApi(unsubscribeChannel, { status: 204 })
      await openScreen(address)
      await expect.element(end).toBeVisible()
      expect(asked).toEqual([])
      await end.click()
      await expect
        .element(page.getByRole('paragraph').filter({ hasText: /^This address gets no more/ }))
        .toHaveFocus()
      expect(asked).toMatchObject([{ query: { code: bare } }])
      await cleanup()
    }
  })

  test('an unknown code says so, and a missing one says what to open', async () => {
    answerApi(unsubscribeChannel, refused('invalid_code'))
    await openScreen(`/unsubscribe#${bare}`)
    await end.click()
    await expect.element(alert).toHaveTextContent(errors.invalid_code.sentence)
    await expectAccessible()
    await cleanup()
    await openScreen('/unsubscribe')
    await expect.element(page.getByText(/^This link has no code/)).toBeVisible()
    expect(end.length).toBe(0)
  })
})
