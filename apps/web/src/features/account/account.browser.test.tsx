import { logout } from '@astropelago/contract/accounts'
import { listDeviceTokens } from '@astropelago/contract/devices'
import { listIslandHoldings } from '@astropelago/contract/island-data'
import { getOwnData } from '@astropelago/contract/own-data'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectAccessibleOnDesktop } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { sampleDevice, sampleToken, sampleUser } from '../../test/samples.ts'
import { deviceFormParts } from '../../devices/testing/device-form-parts.ts'
import { account, connectionFailed, openAccount, openAccountAt } from './testing/open-account.tsx'

const { cell, register, registerButton } = account

test('the devices come first; a press leads to the form below them', async () => {
  await openAccount(sampleDevice())
  await expect.element(page.getByRole('heading', { name: 'Register a Device' })).toBeVisible()
  const headings = page.getByRole('heading', { level: 2 }).elements()
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    'Your Public Devices',
    'Your Private Devices',
    'Register a Device',
  ])
  await page.getByRole('button', { name: 'Register a device' }).click()
  await expect.element(register.getByLabelText('Label', { exact: true })).toHaveFocus()
})

test('the user is shown above every part; each part has an address, and Back works', async () => {
  answerApi(getOwnData, { status: 200, body: [] })
  answerApi(listIslandHoldings, { status: 200, body: [] })
  await openAccount()
  await expect.element(page.getByText(sampleUser.username, { exact: true })).toBeVisible()
  await expect.element(account.part('Devices')).toHaveAttribute('aria-current', 'page')
  await account.part('Data').click()
  await expect.element(account.card('Delete your account')).toBeVisible()
  await expect.element(account.part('Data')).toHaveAttribute('aria-current', 'page')
  await expect.element(account.part('Data')).toHaveFocus()
  expect(window.location.pathname).toBe('/account/data')
  expect(document.title).toMatch('Data · Account')
  await expect.element(page.getByText(sampleUser.username, { exact: true })).toBeVisible()
  window.history.back()
  await expect.element(account.register).toBeVisible()
})

test('an address that names no part shows the devices', async () => {
  await openAccountAt('/account?part=nowhere')
  await expect.element(account.register).toBeVisible()
})

test('a log out that gets no answer says so', async () => {
  answerApi(logout, 'dropped')
  await openAccount()
  await account.logOut.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent(connectionFailed)
})

describe('axe finds nothing, and nothing overflows', () => {
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
    await expect.element(cell(0)).toBeVisible()
    await expectAccessibleOnDesktop()
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
