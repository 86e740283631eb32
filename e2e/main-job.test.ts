import { listPublicDevices } from '@astropelago/contract/devices'
import { coarsePlace } from '@astropelago/contract/place'
import { askApi } from './harness/ask-api.ts'
import { connectSteps } from './harness/connect-steps.ts'
import { deviceForm } from './harness/device-form.ts'
import { readmeUrl } from './harness/global-setup.ts'
import { chooseFromMenu, pressByKeys, typeInto } from './harness/keyboard.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { postgresServersUrl } from './harness/postgres-setup.ts'
import { expectReloaded, expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { signInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

/** The window of 2 s, then the 10 s after which the page asks again. */
const offlineWithinMs = 15_000

for (const { on, url, tag } of [
  { on: 'one server with SQLite', url: readmeUrl, tag: [] },
  { on: 'two servers with PostgreSQL', url: postgresServersUrl, tag: '@long' },
]) {
  test.describe(on, { tag }, () => {
    test.use({
      // It needs no other fixture, but Playwright requires a destructuring pattern here.
      baseURL: async ({ serverSettings: _settings }, provide) => {
        await provide(url())
      },
    })

    test('the main job by keyboard from the first visit: a device in a chosen town comes online, others see it within 10 km, and it goes offline', async ({
      page,
      home,
    }) => {
      const { username, password } = newCredentials()
      const label = `Lighthouse of ${username}`

      await page.goto('/')
      await chooseFromMenu(page.getByRole('menuitem', { name: 'Connect (sign in)' }))
      const signIn = signInForm(page)
      await typeInto(signIn.username, username)
      await typeInto(signIn.password, password)
      await markDocument(page)
      await pressByKeys(signIn.register)
      await expectReloaded(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connect Device')
      await markDocument(page)

      const steps = connectSteps(page)
      const form = deviceForm(steps.choose)
      await typeInto(form.label, label)
      await typeInto(form.town, 'vienna')
      await expect(form.towns.getByRole('option').first()).toContainText('Vienna, Austria')
      await page.keyboard.press('Enter')
      await expect(form.lon).toHaveValue('16.372')
      await pressByKeys(steps.choose.getByRole('button', { name: 'Create device' }))
      await pressByKeys(steps.generate)
      await expect(steps.shownToken).toHaveText(/^apd_[\w-]{43}$/)
      await expect(steps.token).toContainText('shown only once')
      const token = await steps.shownToken.textContent()
      await expect(steps.watch).toContainText(`Waiting for ${label}`)
      await expect(steps.watch.getByText('unknown', { exact: true })).toBeVisible()

      const command = (await steps.tryNow.textContent()) ?? ''
      const request = page.context().request
      const seenByOthers = async () => {
        const devices = await askApi(request, listPublicDevices)
        return devices?.find((device) => device.label === label)
      }
      const publicStatus = async () => (await seenByOthers())?.status
      // The device is online for 2 s only, so this watches from before the heartbeat.
      const [ran] = await Promise.all([
        home.run('bash', command),
        steps.watch.getByText('online', { exact: true }).waitFor(),
        expect.poll(publicStatus, { intervals: [100] }).toBe('online'),
      ])
      expect(ran).toEqual({ status: 0, output: 'It works: the heartbeat arrived.\n' })
      const { lat, lon } = coarsePlace({ lat: 48.208, lon: 16.372 }, 'km10')
      expect(await seenByOthers()).toMatchObject({ lat, lon })
      await expect(steps.watch).toContainText(/Last seen (just now|\d+ seconds? ago)/)

      await expect.poll(publicStatus).toBe('offline')
      await expect(steps.watch.getByText('offline', { exact: true })).toBeVisible({
        timeout: offlineWithinMs,
      })
      await expectSameDocument(page)

      await page.reload()
      await expect(steps.choose.getByRole('radio', { name: label })).toBeChecked()
      await expect(steps.generate).toBeVisible()
      await expect(steps.shownToken).toHaveCount(0)
      await expect(steps.tryNow).toHaveCount(0)
      expect(await page.content()).not.toContain(token)
    })
  })
}
