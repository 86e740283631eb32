import { registerDevice } from '@astropelago/contract/devices'
import { errors } from '@astropelago/contract/errors'
import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { answerApi, refused } from '../../test/answer-api.ts'
import { answerOwnDevices } from '../../devices/testing/answer-own-devices.ts'
import { deviceFormParts } from '../../devices/testing/device-form-parts.ts'
import { account, connectionFailed, openAccount } from './testing/open-account.tsx'

const { cell, register, registerButton } = account
const typedLighthouse = { label: 'Lighthouse', lat: '48.2082', lon: '16.3738', link: '' }

describe('Register a Device', () => {
  test('asks for label, lat, lon, an optional link and visibility: public by default, with who sees the place', async () => {
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
    await expect.element(cell(0)).toMatchTextContent('Lighthouse')
    expect(form.typed()).toEqual({ label: '', lat: '', lon: '', link: '' })
    await expect
      .element(register.getByRole('link', { name: 'Connect it now' }))
      .toHaveAttribute('href', expect.stringMatching(/^\/connect\?device=/))

    await form.enter({ label: 'Cellar', lat: ' -4.5e1 ', lon: '+.5', link: ' https://a.example ' })
    await form.isPrivate.click()
    await userEvent.click(form.label)
    await userEvent.keyboard('{Enter}')
    await expect.element(cell(0, 'private')).toHaveTextContent('Cellar')
    expect(registered.map(({ body }) => body)).toEqual([
      {
        label: 'Lighthouse',
        lat: 48.2082,
        lon: 16.3738,
        precision: 'km10',
        schedule: null,
        link: null,
        visibility: 'public',
        isShared: false,
      },
      {
        label: 'Cellar',
        lat: -45,
        lon: 0.5,
        precision: 'km10',
        schedule: null,
        link: 'https://a.example/',
        visibility: 'private',
        isShared: false,
      },
    ])
  })

  test('missing values and wrong numbers are errors of their fields; nothing is sent or lost', async () => {
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
    await expect.element(cell(0)).toMatchTextContent('Lighthouse')
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
  ] as const)('%s is reported, keeps the input, and can be retried', async (_, reply, text) => {
    const { devices } = await openAccount()
    answerApi(registerDevice, reply)
    const form = deviceFormParts(register)
    await form.enter(typedLighthouse)
    await registerButton.click()
    await expect.element(form.alerts).toHaveTextContent(text)
    expect(form.typed()).toEqual(typedLighthouse)
    answerOwnDevices(...devices)
    await registerButton.click()
    await expect.element(cell(0)).toMatchTextContent('Lighthouse')
  })
})
