import { accountParts } from './harness/account-parts.ts'
import { connectSteps } from './harness/connect-steps.ts'
import { deviceForm } from './harness/device-form.ts'
import { locationParts } from './harness/location-parts.ts'
import { expectAccessible } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

const buttonName = 'Use my saved location'

test('without a saved location the device forms offer none', async ({ page, user: _user }) => {
  await page.goto('/account')
  await expect(accountParts(page).registerButton).toBeVisible()
  await expect(page.getByRole('button', { name: buttonName })).toBeHidden()
})

test('the device forms take over the saved location, and its label where none is typed', async ({
  page,
  user: _user,
}) => {
  const panel = locationParts(page)
  await panel.open()
  await panel.enter('Harbour Pi', '54.323312', '-10.1')
  await panel.save.click()
  await expect(panel.message).toHaveText('Saved')

  await page.goto('/account')
  const { register, registerButton, publicRows } = accountParts(page)
  const form = deviceForm(register)
  const use = register.getByRole('button', { name: buttonName })
  await form.enter({ label: 'Attic', lat: 'north', lon: '' })
  await registerButton.click()
  await expect(form.alerts).toHaveCount(2)
  await use.click()
  await expect(form.alerts).toHaveCount(0)
  expect(await form.typed()).toMatchObject({ label: 'Attic', lat: '54.323312', lon: '-10.1' })
  await form.label.fill(' ')
  await use.click()
  await expect(form.label).toHaveValue('Harbour Pi')
  await expectAccessible(page)
  await registerButton.click()
  await expect(publicRows).toContainText('Harbour Pi')
  await expect(publicRows).toContainText('54.323')

  await page.goto('/connect')
  const { choose } = connectSteps(page)
  await choose.getByRole('button', { name: 'Create a device' }).click()
  const newDevice = deviceForm(choose)
  await choose.getByRole('button', { name: buttonName }).click()
  expect(await newDevice.typed()).toMatchObject({
    label: 'Harbour Pi',
    lat: '54.323312',
    lon: '-10.1',
  })
})
