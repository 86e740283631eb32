import { logout, updateMe } from '@astropelago/contract/accounts'
import {
  listDeviceTokens,
  listOwnDevices,
  registerDevice,
  revokeDeviceToken,
  updateDevice,
  deleteDevice,
} from '@astropelago/contract/devices'
import { errors } from '@astropelago/contract/errors'
import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { answerFeed } from '../../test/answer-feed.ts'
import { holdTime } from '../../test/emulation.ts'
import { openPart } from '../../test/open-screen.tsx'
import { sampleDevice, sampleToken, sampleUser } from '../../test/samples.ts'
import { answerOwnDevices } from '../devices/testing/answer-own-devices.ts'
import { deviceFormParts } from '../devices/testing/device-form-parts.ts'
import { AccountPage } from './account-page.tsx'

const connectionFailed = 'The connection failed. Check it and try again.'
const typedLighthouse = { label: 'Lighthouse', lat: '48.2082', lon: '16.3738', link: '' }

const profile = page.getByRole('region', { name: 'Profile' })
const register = page.getByRole('region', { name: 'Register a Device' })
const registerButton = register.getByRole('button', { name: 'Register device' })
const part = {
  public: page.getByRole('region', { name: 'Your Public Devices' }).first(),
  private: page.getByRole('region', { name: 'Your Private Devices' }).first(),
}
const rows = {
  public: page.getByRole('table', { name: 'Your Public Devices' }).getByRole('row'),
  private: page.getByRole('table', { name: 'Your Private Devices' }).getByRole('row'),
}
const dialog = (name: string) => page.getByRole('dialog', { name })

/** Account of a user with these devices, while the live feed is live. */
async function openAccount(...devices: Parameters<typeof answerOwnDevices>) {
  const feed = answerFeed()
  const own = answerOwnDevices(...devices)
  await openPart(<AccountPage />, { user: sampleUser, path: '/account' })
  await expect.element(profile).toMatchTextContent(sampleUser.username)
  return { feed, ...own }
}

/** The row of the only device. The first row holds the columns' names. */
const cell = (index: number, of: keyof typeof rows = 'public') =>
  rows[of].nth(1).getByRole('cell').nth(index)

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

describe('the lists', () => {
  test('without devices each says what to do next', async () => {
    await openAccount()
    await expect.element(part.public).toMatchTextContent('No public devices yet')
    await expect.element(part.private).toMatchTextContent('No private devices yet')
    const link = part.public.getByRole('link', { name: 'Connect a device' })
    await expect.element(link).toHaveAttribute('href', '/connect')
    expect(document.title).toBe('Account · Astropelago')
  })

  test('a row has the first 12 characters of the id, label, lat and lon with 3 decimals, status as a word, and a safe link', async () => {
    const link = 'https://harbour.example/chat'
    const label = '<b>Harbour</b> Pi'
    const device = sampleDevice({ label, lat: -33.86785, lon: 151.2, link })
    await openAccount(device)
    await expect.element(cell(0)).toHaveTextContent(device.id.slice(0, 12))
    await expect.element(cell(1)).toHaveTextContent(label)
    await expect.element(cell(2)).toHaveTextContent('-33.868')
    await expect.element(cell(3)).toHaveTextContent('151.200')
    await expect.element(cell(4)).toMatchTextContent('unknown')
    const anchor = cell(5).getByRole('link')
    await expect.element(anchor).toHaveAttribute('href', link)
    await expect.element(anchor).toHaveAttribute('rel', 'noopener noreferrer')
  })

  test('private devices stand apart from public ones, on a phone too', async () => {
    await openAccount(
      sampleDevice({ label: 'Lighthouse' }),
      sampleDevice({ label: 'Cellar', visibility: 'private' }),
    )
    await expect.element(cell(1)).toHaveTextContent('Lighthouse')
    await expect.element(cell(1, 'private')).toHaveTextContent('Cellar')
    expect(rows.public.length).toBe(2)
    expect(rows.private.length).toBe(2)
    await page.viewport(360, 800)
    await expect.element(part.public.getByRole('listitem')).toMatchTextContent('Lighthouse')
    await expect.element(part.private.getByRole('listitem')).toMatchTextContent('Cellar')
  })

  test('without the feed they are asked for every 10 s, and a form that is filled in stays so', async () => {
    const device = sampleDevice()
    holdTime()
    const { feed, listed, replace } = await openAccount(device)
    await expect.element(cell(4)).toMatchTextContent('unknown')
    feed.refuse()
    await expect.element(page.getByText('reconnecting').first()).toBeVisible()
    const form = deviceFormParts(register)
    const typed = { label: 'Half a name', lat: '1', lon: '', link: '' }
    await form.enter(typed)
    const before = listed.length
    await vi.advanceTimersByTimeAsync(30_000)
    expect(listed.length).toBe(before + 3)
    replace(device.id, { status: 'online', lastSeenAt: new Date().toISOString() })
    await vi.advanceTimersByTimeAsync(10_000)
    await expect.element(cell(4)).toMatchTextContent('online')
    expect(form.typed()).toEqual(typed)
  })

  test('a list that can’t be loaded anew stays, with a quiet line that tries again', async () => {
    const { feed, devices } = await openAccount(sampleDevice())
    await expect.element(cell(1)).toHaveTextContent('Lighthouse')
    // Not to wait for the retries of a lost connection: those have a test of their own.
    answerApi(listOwnDevices, refused('too_large'))
    feed.tell({ type: 'device', payload: devices[0] ?? sampleDevice() })
    const line = page.getByText(/^Your devices could not be updated/)
    await expect.element(line).toBeVisible()
    await expect.element(cell(1)).toHaveTextContent('Lighthouse')
    expect(page.getByRole('alert').length).toBe(0)
    answerOwnDevices(...devices)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(line).not.toBeInTheDocument()
  })
})

describe('Register a Device', () => {
  test('asks for label, lat, lon, an optional link and visibility: public at first, and beside it who will see the place', async () => {
    const { registered } = await openAccount()
    const form = deviceFormParts(register)
    await expect.element(form.isPublic).toBeChecked()
    await expect
      .element(form.isPublic)
      .toHaveAccessibleDescription(
        'Everyone on the internet sees its label, place, status and link.',
      )
    await expect.element(form.isPrivate).toHaveAccessibleDescription('Only you see it.')
    await form.enter(typedLighthouse)
    await registerButton.click()
    await expect.element(cell(1)).toHaveTextContent('Lighthouse')
    expect(form.typed()).toEqual({ label: '', lat: '', lon: '', link: '' })
    await expect
      .element(register.getByRole('link', { name: 'Connect it now' }))
      .toHaveAttribute('href', expect.stringMatching(/^\/connect\?device=/))

    await form.enter({ label: 'Cellar', lat: ' -4.5e1 ', lon: '+.5', link: ' https://a.example ' })
    await form.isPrivate.click()
    await userEvent.click(form.label)
    await userEvent.keyboard('{Enter}')
    await expect.element(cell(1, 'private')).toHaveTextContent('Cellar')
    const lighthouse = { label: 'Lighthouse', lat: 48.2082, lon: 16.3738, link: null }
    const cellar = { label: 'Cellar', lat: -45, lon: 0.5, link: 'https://a.example/' }
    expect(registered.map(({ body }) => body)).toEqual([
      { ...lighthouse, visibility: 'public', precision: 'km10' },
      { ...cellar, visibility: 'private', precision: 'km10' },
    ])
  })

  test('what is missing or no number is refused at its field, unsent and with nothing lost', async () => {
    const { registered } = await openAccount()
    const form = deviceFormParts(register)
    await registerButton.click()
    await expect.element(form.label).toHaveAccessibleDescription(/^Enter a label\./)
    await expect.element(form.label).toHaveFocus()
    await form.enter({ label: 'Lighthouse', lat: '48,2', lon: '' })
    await registerButton.click()
    for (const field of [form.lat, form.lon]) {
      await expect
        .element(field)
        .toHaveAccessibleDescription(/^Enter a number such as 48\.2; use a point, not a comma\./)
    }
    await expect.element(form.lat).toHaveFocus()
    expect(form.typed()).toEqual({ label: 'Lighthouse', lat: '48,2', lon: '', link: '' })
    expect(registered).toEqual([])
  })

  test('the server’s refusal is shown, in words and at its fields, and can be mended', async () => {
    const { devices } = await openAccount()
    const fields = { label: 'No label.', lat: 'No lat.', lon: 'No lon.', link: 'No link.' }
    answerApi(registerDevice, refused('invalid_device', fields))
    const form = deviceFormParts(register)
    const typed = { label: 'x'.repeat(65), lat: '90.001', lon: '-180.001', link: 'javascript:1' }
    await form.enter(typed)
    await registerButton.click()
    await expect.element(form.alerts.first()).toBeVisible()
    await expect
      .element(form.alerts.filter({ hasText: errors.invalid_device.sentence }))
      .toBeVisible()
    for (const name of ['label', 'lat', 'lon', 'link'] as const) {
      await expect.element(form[name]).toHaveAccessibleDescription(new RegExp(`^${fields[name]}`))
    }
    await expect.element(form.label).toHaveFocus()
    expect(form.typed()).toEqual(typed)
    answerOwnDevices(...devices)
    await form.enter(typedLighthouse)
    await registerButton.click()
    await expect.element(cell(1)).toHaveTextContent('Lighthouse')
    expect(form.alerts.length).toBe(0)
  })

  test.each([
    ['a dropped connection', 'dropped', connectionFailed],
    [
      'as many devices as an account can hold',
      refused('device_limit'),
      errors.device_limit.sentence,
    ],
    ['a session that has ended', refused('signed_out'), errors.signed_out.sentence],
    [
      'an answer that is not ours',
      new Response('Bad gateway', { status: 502 }),
      `error: ${errors.server_error.sentence}`,
    ],
  ] as const)('%s is said, loses nothing, and can be retried', async (_, reply, text) => {
    const { devices } = await openAccount()
    answerApi(registerDevice, reply)
    const form = deviceFormParts(register)
    await form.enter(typedLighthouse)
    await registerButton.click()
    await expect.element(form.alerts).toHaveTextContent(text)
    expect(form.typed()).toEqual(typedLighthouse)
    answerOwnDevices(...devices)
    await registerButton.click()
    await expect.element(cell(1)).toHaveTextContent('Lighthouse')
  })
})

describe('Edit', () => {
  test('keeps how exactly others see a place; the list has both places where they differ', async () => {
    const places = { lat: 52.5212, lon: 13.4064, publicLat: 52.525, publicLon: 13.412 }
    const coarse = sampleDevice({ label: 'Attic', precision: 'km1', ...places })
    const { devices } = await openAccount(coarse, sampleDevice({ precision: 'exact' }))
    await expect.element(cell(1).first()).toMatchTextContent('Attic')
    await expect.element(cell(2).first()).toHaveTextContent('52.521')
    await expect.element(page.getByText('Others see 52.525, 13.412')).toBeVisible()
    expect(page.getByText(/^Others see/).length).toBe(1)
    await page.getByRole('button', { name: 'Edit Attic' }).click()
    const form = dialog('Edit device')
    await expect.element(form.getByRole('radio', { name: 'Within about 1 km' })).toBeChecked()
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect.element(form).not.toBeInTheDocument()
    expect(devices.map(({ precision }) => precision)).toEqual(['km1', 'exact'])
  })

  test('changes a device: its label, place and visibility, and an emptied link is taken away', async () => {
    const { devices } = await openAccount(sampleDevice({ link: 'https://old.example/' }))
    await page.getByRole('button', { name: 'Edit Lighthouse' }).click()
    const form = deviceFormParts(dialog('Edit device'))
    await expect.element(form.label).toHaveFocus()
    expect(form.typed()).toEqual({ ...typedLighthouse, link: 'https://old.example/' })
    await form.enter({ label: 'Old lighthouse', lat: '-1', lon: '2.5', link: '' })
    await form.isPrivate.click()
    await userEvent.click(form.label)
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog('Edit device')).not.toBeInTheDocument()
    await expect.element(part.public).toMatchTextContent('No public devices yet')
    await expect.element(cell(1, 'private')).toHaveTextContent('Old lighthouse')
    await expect.element(cell(2, 'private')).toHaveTextContent('-1.000')
    await expect.element(cell(3, 'private')).toHaveTextContent('2.500')
    expect(devices).toMatchObject([{ link: null, visibility: 'private' }])
  })

  test('refused, it stays open, says why and loses nothing; Escape returns the focus', async () => {
    await openAccount(sampleDevice())
    answerApi(updateDevice, refused('invalid_device', { lat: 'Latitude is out of range.' }))
    const edit = page.getByRole('button', { name: 'Edit Lighthouse' })
    await edit.click()
    const form = deviceFormParts(dialog('Edit device'))
    await form.lat.fill('-91')
    await userEvent.keyboard('{Enter}')
    await expect.element(form.lat).toHaveAccessibleDescription(/^Latitude is out of range\./)
    await expect.element(form.lat).toHaveValue('-91')
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog('Edit device')).not.toBeInTheDocument()
    await expect.element(edit).toHaveFocus()
    await expect.element(cell(2)).toHaveTextContent('48.208')
  })
})

describe('Delete', () => {
  const question = dialog('Delete this device?')

  test('asks first: Keep it keeps the device, Delete device takes it', async () => {
    const { devices } = await openAccount(sampleDevice())
    const remove = page.getByRole('button', { name: 'Delete Lighthouse' })
    await remove.click()
    await expect.element(question).toMatchTextContent('Lighthouse')
    await question.getByRole('button', { name: 'Keep it' }).click()
    await expect.element(question).not.toBeInTheDocument()
    expect(devices).toHaveLength(1)

    await remove.click()
    await question.getByRole('button', { name: 'Delete device' }).click()
    await expect.element(question).not.toBeInTheDocument()
    await expect.element(part.public).toMatchTextContent('No public devices yet')
    expect(devices).toEqual([])
    // The button that had the focus is gone; it must not have gone with it.
    expect(document.activeElement).not.toBe(document.body)
  })

  test('while it is under way it is not asked again', async () => {
    await openAccount(sampleDevice())
    const answer = Promise.withResolvers<{ status: 204 }>()
    answerApi(deleteDevice, () => answer.promise)
    await page.getByRole('button', { name: 'Delete Lighthouse' }).click()
    await question.getByRole('button', { name: 'Delete device' }).click()
    await expect.element(question.getByRole('button', { name: 'Deleting…' })).toBeDisabled()
    answerOwnDevices()
    answer.resolve({ status: 204 })
    await expect.element(question).not.toBeInTheDocument()
  })

  test('without an answer it says so and can be retried', async () => {
    const { devices } = await openAccount(sampleDevice())
    answerApi(deleteDevice, 'dropped')
    await page.getByRole('button', { name: 'Delete Lighthouse' }).click()
    await question.getByRole('button', { name: 'Delete device' }).click()
    await expect.element(question.getByRole('alert')).toHaveTextContent(connectionFailed)
    answerOwnDevices(...devices)
    await question.getByRole('button', { name: 'Delete device' }).click()
    await expect.element(part.public).toMatchTextContent('No public devices yet')
  })
})

describe('Tokens', () => {
  const tokens = dialog('Device tokens')
  const roof = tokens.getByRole('listitem').filter({ hasText: 'roof' })

  async function openTokens() {
    const device = sampleDevice()
    const listed = [
      sampleToken({ label: 'roof', start: 'apd_roof', lastUsedAt: new Date().toISOString() }),
      sampleToken({ start: 'apd_none' }),
    ]
    answerApi(listDeviceTokens, () => ({ status: 200, body: listed }))
    answerApi(revokeDeviceToken, ({ params }) => {
      listed.splice(0, listed.length, ...listed.filter(({ id }) => id !== params.id))
      return { status: 204 }
    })
    await openAccount(device)
    await page.getByRole('button', { name: 'Tokens of Lighthouse' }).click()
    await expect.element(roof).toBeVisible()
    return { device, listed }
  }

  test('lists each one by its first characters, label and last use, and leads to a new one', async () => {
    const { device } = await openTokens()
    expect(tokens.getByRole('listitem').length).toBe(2)
    await expect.element(roof).toMatchTextContent(/^apd_roof….*last used/)
    await expect
      .element(tokens.getByRole('listitem').filter({ hasNotText: 'roof' }))
      .toMatchTextContent(/^apd_none….*never used/)
    await expect
      .element(tokens.getByRole('link', { name: 'Generate a token' }))
      .toHaveAttribute('href', `/connect?device=${device.id}`)
  })

  test('Revoke asks first, with the focus on the harmless answer', async () => {
    const { listed } = await openTokens()
    const revoke = roof.getByRole('button', { name: 'Revoke apd_roof' })
    await revoke.click()
    const keep = roof.getByRole('button', { name: 'Keep it' })
    await expect.element(keep).toHaveFocus()
    await keep.click()
    await expect.element(revoke).toHaveFocus()
    expect(listed).toHaveLength(2)

    await revoke.click()
    await roof.getByRole('button', { name: 'Revoke token' }).click()
    await expect.element(roof).not.toBeInTheDocument()
    expect(listed).toMatchObject([{ start: 'apd_none' }])
    await expect.element(tokens).toContainElement(document.querySelector<HTMLElement>(':focus'))
  })
})

describe('axe has nothing to say, and nothing overflows', () => {
  test('without devices, and with refusals', async () => {
    await openAccount()
    await expectAccessible()
    await registerButton.click()
    await expect.poll(() => deviceFormParts(register).alerts.length).toBe(3)
    await expectAccessible(register)
  })

  test('with devices of every status, the longest labels and every dialog', async () => {
    const longest = 'W'.repeat(64)
    answerApi(listDeviceTokens, { status: 200, body: [sampleToken({ label: longest })] })
    await openAccount(
      sampleDevice({ label: longest, status: 'online', lastSeenAt: new Date().toISOString() }),
      sampleDevice({
        label: 'منارة الميناء القديم',
        link: `https://${'w'.repeat(60)}.example/${'long/'.repeat(50)}`,
      }),
      sampleDevice({ label: 'Cellar', status: 'offline', visibility: 'private' }),
    )
    await expect.element(cell(1)).toBeVisible()
    await expectAccessible()
    for (const name of ['Edit', 'Tokens of', 'Heartbeat command for', 'Delete']) {
      await page.getByRole('button', { name: `${name} ${longest}` }).click()
      const opened = page.getByRole('dialog')
      await expect.element(opened).toBeVisible()
      if (name === 'Tokens of') await opened.getByRole('button', { name: /^Revoke/ }).click()
      await expectAccessible(opened)
      await userEvent.keyboard('{Escape}')
      await expect.element(opened).not.toBeInTheDocument()
    }
  })
})
