import { updateMe } from '@astropelago/contract/accounts'
import { removeAvatar, setAvatar } from '@astropelago/contract/avatars'
import { errors } from '@astropelago/contract/errors'
import { avatarMaxBytes } from '@astropelago/contract/limits'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { samplePicture, sampleUser } from '../../test/samples.ts'
import { account, connectionFailed, openAccountPart } from './testing/open-account.tsx'

const profile = account.card('Profile')

async function pictureBytes(): Promise<Uint8Array> {
  return new Uint8Array(await pictureFile().arrayBuffer())
}

function pictureFile(): File {
  const bytes = Uint8Array.from(atob(samplePicture.split(',')[1] ?? ''), (char) =>
    char.charCodeAt(0),
  )
  return new File([bytes], 'me.png', { type: 'image/png' })
}

describe('the profile', () => {
  test('it shows the username and the display name, which can be changed and removed', async () => {
    answerApi(updateMe, ({ body }) => ({
      status: 200,
      body: { user: { ...sampleUser, ...body } },
    }))
    await openAccountPart('profile')
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

  test('a name that the server would refuse shows the server’s error when the field is left', async () => {
    await openAccountPart('profile')
    await profile.getByRole('button', { name: 'Edit name' }).click()
    const name = profile.getByLabelText(/^Display name/)
    await name.fill('x'.repeat(65))
    await expect.element(name).not.toHaveAccessibleDescription(/64/)
    await userEvent.tab()
    await expect.element(name).toHaveAccessibleDescription(/64 characters/)
    await name.fill('x'.repeat(64))
    await expect.element(name).not.toHaveAccessibleDescription(/64/)
  })

  test('a refused name and a dropped connection are errors of the field; the input stays', async () => {
    const atField = 'A name has at most 64 characters, all of them visible.'
    answerApi(updateMe, refused('invalid_input', { name: atField }))
    await openAccountPart('profile')
    await profile.getByRole('button', { name: 'Edit name' }).click()
    const name = profile.getByLabelText(/^Display name/)
    const long = 'x'.repeat(64)
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
})

describe('the name on public devices', () => {
  const box = profile.getByRole('checkbox', { name: 'Show my name with my public devices' })

  test('is shown once it is ticked, and no longer when it is not', async () => {
    const asked = answerApi(updateMe, ({ body }) => ({
      status: 200,
      body: { user: { ...sampleUser, ...body } },
    }))
    await openAccountPart('profile')
    await expect.element(box).not.toBeChecked()
    await expect
      .element(box)
      .toHaveAccessibleDescription(/^Everybody who looks at one of your public devices/)
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
    await openAccountPart('profile')
    await box.click()
    await expect.element(profile.getByRole('alert')).toHaveTextContent(connectionFailed)
    await expect.element(box).not.toBeChecked()
  })
})

/** The hue of the planet beside the username. */
const drawn = () =>
  document.querySelector<HTMLElement>('header .avatar')?.style.getPropertyValue('--avatar-hue')

describe('the colour of the planet', () => {
  const colour = profile.getByRole('group', { name: 'Colour of your planet' })

  test('is saved on each press, shows at once, and can return to the name’s colour', async () => {
    const asked = answerApi(updateMe, ({ body }) => ({
      status: 200,
      body: { user: { ...sampleUser, ...body } },
    }))
    await openAccountPart('profile')
    const own = colour.getByRole('radio', { name: 'From your name' })
    await expect.element(own).toBeChecked()
    const ownHue = drawn()
    await colour.getByRole('radio', { name: 'Teal' }).click()
    await expect.element(colour.getByRole('radio', { name: 'Teal' })).toBeChecked()
    await expect.poll(drawn).toBe('185')
    await own.click()
    await expect.poll(drawn).toBe(ownHue)
    expect(asked.map(({ body }) => body)).toEqual([{ hue: 185 }, { hue: null }])
  })

  test('without an answer it stays as it was, and says so', async () => {
    answerApi(updateMe, 'dropped')
    await openAccountPart('profile')
    await colour.getByRole('radio', { name: 'Teal' }).click()
    await expect.element(profile.getByRole('alert')).toHaveTextContent(connectionFailed)
    await expect.element(colour.getByRole('radio', { name: 'From your name' })).toBeChecked()
  })

  test('is not offered to users with a picture', async () => {
    await openAccountPart('profile', { ...sampleUser, avatar: 'data:image/svg+xml,<svg/>' })
    await expect.element(profile).toBeVisible()
    await expect.element(colour).not.toBeInTheDocument()
  })
})

/** The picture beside the username. */
const shown = () => document.querySelector('header img')?.getAttribute('src')

describe('the picture', () => {
  const choose = profile.getByLabelText(/^Choose a/)
  const preview = profile.getByRole('img', { name: 'As others will see it' })
  const use = profile.getByRole('button', { name: 'Use this picture' })
  const remove = profile.getByRole('button', { name: 'Remove your picture' })
  const withPicture = { ...sampleUser, avatar: samplePicture }

  test('is previewed before the upload, shows at once, and can be replaced and removed', async () => {
    const sent = answerApi(setAvatar, { status: 200, body: { user: withPicture } })
    answerApi(removeAvatar, { status: 200, body: { user: sampleUser } })
    await openAccountPart('profile')
    await choose.upload(pictureFile())
    await expect.element(preview).toBeVisible()
    await expect.element(use).toHaveFocus()
    await expect.element(profile).toMatchTextContent('me.png')
    expect(sent).toEqual([])
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Picture saved', { exact: true })).toBeVisible()
    expect(shown()).toBe(samplePicture)
    await expect.element(profile.getByLabelText('Choose another picture')).toHaveFocus()
    expect(sent.map(({ body }) => body)).toEqual([await pictureBytes()])

    await remove.click()
    await expect.element(page.getByText('Picture removed', { exact: true })).toBeVisible()
    expect(shown()).toBeUndefined()
    await expect.element(profile.getByLabelText('Choose a picture')).toHaveFocus()
    await expect.element(remove).not.toBeInTheDocument()
  })

  test('is not sent when one thinks better of it', async () => {
    await openAccountPart('profile')
    await choose.upload(pictureFile())
    await profile.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(choose).toHaveFocus()
    await expect.element(preview).not.toBeInTheDocument()
  })

  test.each([
    [
      'too large',
      new File(['x'.repeat(avatarMaxBytes + 1)], 'a.png', { type: 'image/png' }),
      'avatar_too_large',
    ],
    ['of another kind', new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' }), 'avatar_type'],
    ['no picture', new File(['hello'], 'a.png', { type: 'image/png' }), 'avatar_broken'],
  ] as const)('of a file that is %s one reads so at once', async (_, file, code) => {
    await openAccountPart('profile')
    await choose.upload(file)
    await expect.element(profile.getByRole('alert')).toHaveTextContent(errors[code].sentence)
    await expect.element(preview).not.toBeInTheDocument()
    await choose.upload(pictureFile())
    await expect.element(use).toBeVisible()
    await expect.element(profile.getByRole('alert')).not.toBeInTheDocument()
  })

  test('says why the server refuses it, and when no answer came, and can be sent again', async () => {
    answerApi(setAvatar, refused('avatar_pixels'))
    await openAccountPart('profile')
    await choose.upload(pictureFile())
    await use.click()
    const alert = profile.getByRole('alert')
    await expect.element(alert).toHaveTextContent(errors.avatar_pixels.sentence)
    answerApi(setAvatar, 'dropped')
    await use.click()
    await expect.element(alert).toHaveTextContent(connectionFailed)
    answerApi(setAvatar, { status: 200, body: { user: withPicture } })
    await use.click()
    await expect.poll(shown).toBe(samplePicture)
  })

  test('stays if it could not be removed', async () => {
    answerApi(removeAvatar, 'dropped')
    await openAccountPart('profile', withPicture)
    await remove.click()
    await expect.element(profile.getByRole('alert')).toHaveTextContent(connectionFailed)
    expect(shown()).toBe(samplePicture)
  })

  test('is not for demo accounts, which read so', async () => {
    await openAccountPart('profile', { ...sampleUser, isDemo: true })
    await expect.element(profile).toMatchTextContent('A demo account can’t have one.')
    await expect.element(choose).not.toBeInTheDocument()
  })

  test('axe finds nothing in the preview', async () => {
    await openAccountPart('profile', withPicture)
    await choose.upload(pictureFile())
    await expect.element(use).toHaveFocus()
    await expectAccessible()
  })
})

test('axe finds nothing', async () => {
  await openAccountPart('profile')
  await profile.getByRole('button', { name: 'Edit name' }).click()
  await expect.element(profile.getByLabelText(/^Display name/)).toHaveFocus()
  await expectAccessible()
})
