import { codeOf, connectSteps } from './harness/connect-steps.ts'
import { deviceForm } from './harness/device-form.ts'
import { expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { expect, test } from './harness/test.ts'

test('the Linux block finds the scheduler and brings the device online at PUBLIC_URL, whatever address the page was opened at', async ({
  page,
  home,
  server,
}) => {
  const reached = server.url.replace('localhost', '127.0.0.1')
  await page.goto(`${reached}/explore?signin=1`)
  await page.getByRole('dialog').getByRole('button', { name: 'Demo' }).click()
  await expect(page.getByRole('link', { name: /^Account / })).toBeVisible()
  await page.goto(`${reached}/connect`)
  const { choose, generate, shownToken, tryNow, install, watch } = connectSteps(page)
  await deviceForm(choose).enter({ label: 'Harbour Pi', lat: '48.2', lon: '16.4' })
  await choose.getByRole('button', { name: 'Create device' }).click()
  await generate.click()
  await expect(tryNow).toContainText(`${server.url}/api/devices/heartbeat-token`)
  await expect(tryNow).not.toContainText('127.0.0.1')
  const id = new URL(page.url()).searchParams.get('device')
  const paste = install.getByRole('figure', { name: 'Paste this into a terminal' })
  await markDocument(page)

  const pasted = await home.paste((await codeOf(paste).textContent()) ?? '')
  expect(pasted.status, pasted.output).toBe(0)
  expect(pasted.output).toContain('Done: this device reports every 2 minutes, by systemd')
  await expect(watch.getByText('online', { exact: true })).toBeVisible({ timeout: 2000 })
  await expect(watch.getByText('Harbour Pi is online', { exact: true })).toBeInViewport()
  await expectSameDocument(page)
  expect(await home.modeOf(`.config/astropelago/${id}.header`)).toBe(0o600)

  for (const fold of await install.locator('summary').all()) await fold.click()
  const unit = install.getByRole('figure', { name: `astropelago-${id}.service` })
  const shown = (await codeOf(unit).textContent()) ?? ''
  expect(shown).not.toContain(await shownToken.textContent())
  const file = `"$HOME/.config/systemd/user/astropelago-${id}.service"`
  expect(await home.run('sh', `cat ${file}`)).toEqual({ status: 0, output: shown })

  const removal = install.getByRole('figure', { name: 'To stop it' })
  const removed = await home.paste((await codeOf(removal).textContent()) ?? '')
  expect([removed.status, removed.output.trim()]).toEqual([0, 'Removed.'])
  expect((await home.run('sh', `cat ${file}`)).status).toBe(1)
})
