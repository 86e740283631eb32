import { logout, updateMe } from '@astropelago/contract/accounts'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerApi, refused } from '../../test/answer-api.ts'
import { sampleUser } from '../../test/samples.ts'
import { account, connectionFailed, openAccount } from './testing/open-account.tsx'

const { profile } = account

describe('the profile', () => {
  test('it has the username and, if there is one, the name, which can be changed and taken away', async () => {
    answerApi(updateMe, ({ body }) => ({
      status: 200,
      body: { user: { ...sampleUser, ...body } },
    }))
    await openAccount()
    await expect.element(profile).toMatchTextContent('No display name')
    const edit = profile.getByRole('button', { name: 'Edit name' })
    const name = profile.getByLabelText(/^Display name/)
    await edit.click()
    await expect.element(name).toHaveFocus()
    await name.fill('  Ada of the Harbour  ')
    await userEvent.keyboard('{Enter}')
    await expect.element(edit).toHaveFocus()
    await expect.element(profile.getByText('Ada of the Harbour')).toBeVisible()

    await edit.click()
    await expect.element(name).toHaveValue('Ada of the Harbour')
    await name.fill('')
    await profile.getByRole('button', { name: 'Save name' }).click()
    await expect.element(profile).toMatchTextContent('No display name')
  })

  test('a name that the server would refuse is told when it is left, in its words', async () => {
    await openAccount()
    await profile.getByRole('button', { name: 'Edit name' }).click()
    const name = profile.getByLabelText(/^Display name/)
    await name.fill('x'.repeat(65))
    await expect.element(name).not.toHaveAccessibleDescription(/64/)
    await userEvent.tab()
    await expect.element(name).toHaveAccessibleDescription(/64 characters/)
    await name.fill('x'.repeat(64))
    await expect.element(name).not.toHaveAccessibleDescription(/64/)
  })

  test('a name that is refused says why at its field, and a dropped connection too; nothing is lost', async () => {
    const atField = 'A name has at most 64 characters, all of them visible.'
    answerApi(updateMe, refused('invalid_input', { name: atField }))
    await openAccount()
    await profile.getByRole('button', { name: 'Edit name' }).click()
    const name = profile.getByLabelText(/^Display name/)
    const long = 'x'.repeat(65)
    await name.fill(long)
    await userEvent.keyboard('{Enter}')
    await expect.element(name).toHaveAccessibleDescription(new RegExp(`^${atField}`))
    await expect.element(name).toHaveValue(long)
    answerApi(updateMe, 'dropped')
    await userEvent.keyboard('{Enter}')
    await expect.element(name).toHaveAccessibleDescription(new RegExp(`^${connectionFailed}`))
    await expect.element(name).toHaveValue(long)
    await expect.element(name).toHaveFocus()
  })

  test('a log out that gets no answer says so', async () => {
    answerApi(logout, 'dropped')
    await openAccount()
    await profile.getByRole('button', { name: 'Log out' }).click()
    await expect.element(profile.getByRole('alert')).toHaveTextContent(connectionFailed)
  })
})

describe('the name on public devices', () => {
  const box = profile.getByRole('checkbox', { name: 'Show my name with my public devices' })

  test('is shown once it is ticked, and no longer when it is not', async () => {
    const asked = answerApi(updateMe, ({ body }) => ({
      status: 200,
      body: { user: { ...sampleUser, ...body } },
    }))
    await openAccount()
    await expect.element(box).not.toBeChecked()
    await expect.element(box).toHaveAccessibleDescription(/^Whoever looks at one of them/)
    box.element().focus()
    await userEvent.keyboard(' ')
    await expect.element(box).toBeChecked()
    await expect.element(page.getByText('Your name is shown', { exact: true })).toBeVisible()
    await box.click()
    await expect.element(page.getByText('Your name is not shown', { exact: true })).toBeVisible()
    await expect.element(box).not.toBeChecked()
    expect(asked.map(({ body }) => body)).toEqual([{ isNamePublic: true }, { isNamePublic: false }])
  })

  test('without an answer it stays as it was, and says so', async () => {
    answerApi(updateMe, 'dropped')
    await openAccount()
    await box.click()
    await expect.element(profile.getByRole('alert')).toHaveTextContent(connectionFailed)
    await expect.element(box).not.toBeChecked()
  })
})
