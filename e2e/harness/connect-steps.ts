import type { Locator, Page } from '@playwright/test'

/** The four steps of Connect, by role and name. */
export function connectSteps(page: Page) {
  const step = (name: string) => page.getByRole('region', { name, exact: true })
  const install = step('Install the heartbeat command')
  const token = step('Generate a device token')
  return {
    choose: step('Select or create a device'),
    token,
    install,
    watch: step('Watch the device appear online'),
    generate: token.getByRole('button', { name: 'Generate token' }),
    shownToken: codeOf(token.getByRole('figure', { name: 'device token' })),
    tryNow: codeOf(install.getByRole('figure', { name: 'Try it now' })),
    tab: (name: string) => install.getByRole('tab', { name, exact: true }),
  }
}

/** The text of a code block, as copying gives it. */
export function codeOf(figure: Locator): Locator {
  return figure.locator('code')
}
