import type { Page } from '@playwright/test'

/** The parts of Account, by role and name, on a wide screen. */
export function accountParts(page: Page) {
  const part = (name: string) => page.getByRole('region', { name, exact: true })
  const rows = (name: string) =>
    page
      .getByRole('table', { name, exact: true })
      .getByRole('row')
      .filter({ has: page.locator('td') })
  return {
    part,
    logOut: page.getByRole('button', { name: 'Log out', exact: true }),
    register: part('Register a Device'),
    registerButton: part('Register a Device').getByRole('button', { name: 'Register device' }),
    publicPart: part('Your Public Devices').first(),
    privatePart: part('Your Private Devices').first(),
    publicRows: rows('Your Public Devices'),
    privateRows: rows('Your Private Devices'),
    dialog: (name: string) => page.getByRole('dialog', { name }),
  }
}
