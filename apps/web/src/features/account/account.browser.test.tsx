import { listDeviceTokens } from '@astropelago/contract/devices'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { sampleDevice, sampleToken } from '../../test/samples.ts'
import { deviceFormParts } from '../devices/testing/device-form-parts.ts'
import { account, openAccount } from './testing/open-account.tsx'

const { cell, register, registerButton } = account

test('the devices come first; a press leads to the form below them', async () => {
  await openAccount(sampleDevice())
  const headings = page.getByRole('heading', { level: 2 }).elements()
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    'Your Public Devices',
    'Your Private Devices',
    'Profile',
    'Register a Device',
  ])
  await page.getByRole('button', { name: 'Register a device' }).click()
  await expect.element(register.getByLabelText('Label', { exact: true })).toHaveFocus()
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
