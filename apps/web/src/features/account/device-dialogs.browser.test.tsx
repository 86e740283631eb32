import {
  deleteDevice,
  listDeviceTokens,
  revokeDeviceToken,
  updateDevice,
} from '@astropelago/contract/devices'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { sampleDevice, sampleToken } from '../../test/samples.ts'
import { answerOwnDevices } from '../../devices/testing/answer-own-devices.ts'
import { deviceFormParts } from '../../devices/testing/device-form-parts.ts'
import { account, connectionFailed, openAccount } from './testing/open-account.tsx'

const { cell, dialog } = account
const typedLighthouse = { label: 'Lighthouse', lat: '48.2082', lon: '16.3738', link: '' }

describe('Edit', () => {
  test('saves how exactly others see a place; the list shows both places if they differ', async () => {
    const places = { lat: 52.5212, lon: 13.4064, publicLat: 52.525, publicLon: 13.412 }
    const coarse = sampleDevice({ label: 'Attic', precision: 'km1', ...places })
    const { devices } = await openAccount(coarse, sampleDevice({ precision: 'exact' }))
    await expect.element(cell(0).first()).toMatchTextContent('Attic')
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

  test('changes a device’s label, place and visibility, and removes an emptied link', async () => {
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
    await expect.element(account.public).toMatchTextContent('No public devices yet')
    await expect.element(cell(0, 'private')).toHaveTextContent('Old lighthouse')
    await expect.element(cell(2, 'private')).toHaveTextContent('-1.000')
    await expect.element(cell(3, 'private')).toHaveTextContent('2.500')
    expect(devices).toMatchObject([{ link: null, visibility: 'private' }])
  })

  test('other installations may show a public device if its owner agrees', async () => {
    const { devices } = await openAccount(sampleDevice())
    const sharing = dialog('Edit device').getByRole('checkbox', { name: /other installations/ })
    await page.getByRole('button', { name: 'Edit Lighthouse' }).click()
    await expect.element(sharing).not.toBeChecked()
    await sharing.click()
    await userEvent.keyboard('{Enter}')
    await expect.element(dialog('Edit device')).not.toBeInTheDocument()
    expect(devices).toMatchObject([{ isShared: true }])
    await page.getByRole('button', { name: 'Edit Lighthouse' }).click()
    await expect.element(sharing).toBeChecked()
    await deviceFormParts(dialog('Edit device')).isPrivate.click()
    await expect.element(sharing).not.toBeInTheDocument()
  })

  test('after a refusal it stays open, says why and keeps the input; Escape returns the focus', async () => {
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
    await expect.element(account.public).toMatchTextContent('No public devices yet')
    expect(devices).toEqual([])
    // The focused button is gone, but the focus must not be lost with it.
    expect(document.activeElement).not.toBe(document.body)
  })

  test('while it is under way it is not asked again', async () => {
    await openAccount(sampleDevice())
    const answer = Promise.withResolvers<{ status: 204 }>()
    answerApi(deleteDevice, () => answer.promise)
    await page.getByRole('button', { name: 'Delete Lighthouse' }).click()
    await question.getByRole('button', { name: 'Delete device' }).click()
    await expect
      .element(question.getByRole('button', { name: 'Deleting…' }))
      .toHaveAttribute('aria-disabled', 'true')
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
    await expect.element(account.public).toMatchTextContent('No public devices yet')
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

  test('Escape closes the dialog before the toast that it left', async () => {
    await openTokens()
    await roof.getByRole('button', { name: 'Revoke apd_roof' }).click()
    await roof.getByRole('button', { name: 'Revoke token' }).click()
    const toast = page.getByText('Token revoked', { exact: true })
    await expect.element(toast).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(tokens).not.toBeInTheDocument()
    await expect.element(toast).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(toast).not.toBeInTheDocument()
  })
})

test("'Heartbeat command' offers the token's way first, then a session of one's own", async () => {
  const device = sampleDevice()
  await openAccount(device)
  await page.getByRole('button', { name: 'Heartbeat command for Lighthouse' }).click()
  const commands = dialog('Heartbeat command')
  await expect
    .element(commands.getByRole('tab', { name: 'By device token' }))
    .toHaveAttribute('aria-selected', 'true')
  await expect
    .element(commands.getByRole('link', { name: 'Get the command with a token' }))
    .toHaveAttribute('href', `/connect?device=${device.id}`)
  expect(commands.getByRole('figure').length).toBe(0)
  await commands.getByRole('tab', { name: 'By session cookie' }).click()
  await expect.element(commands.getByRole('figure', { name: /^Sign in once/ })).toBeVisible()
  await expectAccessible(commands)
})
