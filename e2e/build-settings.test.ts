import { buildWeb } from './harness/build-web.ts'
import { goByMenu } from './harness/go-by-menu.ts'
import { expect, test } from './harness/test.ts'

test.use({
  buildSettings: {
    VITE_GOOGLE_MAPS_API_KEY: 'a-key',
    VITE_DEVICE_UPDATE_URL: 'https://hook.example/devices',
  },
})

test('S25 a build with a maps key runs under the service’s policy without a violation', async ({
  page,
  user: _user,
}) => {
  const answer = await page.goto('/')
  const policy = answer?.headers()['content-security-policy']
  expect(policy).toContain("'strict-dynamic'")
  expect(policy).toContain(' https://hook.example;')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // Pages whose code comes later, in chunks without a nonce.
  await page.goto('/account')
  await goByMenu(page, 'Discover')
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
})

test('a device update URL that can’t be used ends the build with one line', async () => {
  const failure = await buildWeb({ VITE_DEVICE_UPDATE_URL: 'sky.example' }).catch(String)
  expect(failure).toContain('VITE_DEVICE_UPDATE_URL must be a whole http or https address')
  expect(failure).not.toMatch(/^\s+at /m)
})
