import { registerDevice } from '@astropelago/contract/devices'
import { mapParts } from './harness/map-parts.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { signUpOperator } from './harness/sign-up-operator.ts'
import { signUp } from './harness/sign-up.ts'
import { startServer } from './harness/start-server.ts'
import { expect, test } from './harness/test.ts'

test(
  'an operator hides a reported device with one press, and it leaves the reporter’s map and list at once',
  { tag: '@long' },
  async ({ browser }) => {
    let dataDir = ''
    const server = await startServer({
      settings: { OPERATORS: 'captain' },
      prepareData: async (folder) => {
        dataDir = folder
      },
    })
    const contexts = await Promise.all(
      [1, 2, 3].map(() => browser.newContext({ baseURL: server.url })),
    )
    try {
      const [owner, reporter, operator] = contexts
      if (!owner || !reporter || !operator) throw new Error('three browsers')
      await Promise.all([signUp(owner, server), signUp(reporter, server)])
      for (const label of ['Rook', 'Lighthouse']) {
        const data = { label, lat: label === 'Rook' ? 48 : -20, lon: 16 }
        await owner.request.post(`${server.url}${registerDevice.path}`, { data })
      }

      const page = await reporter.newPage()
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/observatory')
      const { grid } = observatoryParts(page)
      const { ready, marker, popover } = mapParts(page)
      await expect(grid).toContainText('Rook')
      await ready()
      await marker('Rook, unknown').click()
      await popover.getByRole('button', { name: 'Report' }).click()
      const dialog = page.getByRole('dialog', { name: 'Report this device' })
      await dialog.getByText('It gives somebody’s privacy away').click()
      await dialog.getByRole('button', { name: 'Send report' }).click()
      await expect(page.getByText('Your report is sent').first()).toBeVisible()

      await signUpOperator(operator, { url: server.url, dataDir }, 'captain')
      const mothership = await operator.newPage()
      await mothership.goto('/mothership/reports')
      await mothership.getByRole('heading', { name: 'Rook' }).click()
      await mothership.getByRole('button', { name: 'Hide Rook' }).click()
      await expect(mothership.getByText('Nothing is reported')).toBeVisible()

      await expect(grid).not.toContainText('Rook')
      await expect(marker('Rook, unknown')).toHaveCount(0)
      await expect(grid).toContainText('Lighthouse')
    } finally {
      await Promise.all(contexts.map((context) => context.close()))
      await server.stop()
    }
  },
)
