import type { User } from '@astropelago/contract/me'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { answerFeed } from '../../../test/answer-feed.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleUser } from '../../../test/samples.ts'
import { answerOwnDevices } from '../../../devices/testing/answer-own-devices.ts'
import { AccountPage } from '../account-page.tsx'

const register = page.getByRole('region', { name: 'Register a Device' })
const rows = {
  public: page.getByRole('table', { name: 'Your Public Devices' }).getByRole('row'),
  private: page.getByRole('table', { name: 'Your Private Devices' }).getByRole('row'),
}

/** The parts of Account, found as a user finds them on a wide screen. */
export const account = {
  logOut: page.getByRole('button', { name: 'Log out' }),
  /** The link to a part. */
  part: (name: string) =>
    page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name }),
  /** A card by its heading. */
  card: (name: string) => page.getByRole('region', { name, exact: true }),
  register,
  registerButton: register.getByRole('button', { name: 'Register device' }),
  public: page.getByRole('region', { name: 'Your Public Devices' }).first(),
  private: page.getByRole('region', { name: 'Your Private Devices' }).first(),
  rows,
  /** A cell of the only device. The first row holds the column names. */
  cell: (index: number, of: keyof typeof rows = 'public') =>
    rows[of].nth(1).getByRole('cell').nth(index),
  dialog: (name: string) => page.getByRole('dialog', { name }),
}

export const connectionFailed = 'The connection failed. Check it and try again.'

/** Opens Account for a user with these devices and a live feed. */
export async function openAccount(...devices: Parameters<typeof answerOwnDevices>) {
  return await openAccountAt('/account', ...devices)
}

export async function openAccountAt(path: string, ...devices: Parameters<typeof answerOwnDevices>) {
  const feed = answerFeed()
  const own = answerOwnDevices(...devices)
  await openPart(<AccountPage alerts={null} sharing={null} />, { user: sampleUser, path })
  await expect.element(account.logOut).toBeVisible()
  return { feed, ...own }
}

/** Opens a part of Account other than Devices, as its link does. */
export async function openAccountPart(part: string, user: User = sampleUser) {
  await openPart(<AccountPage alerts={null} sharing={null} />, {
    user,
    path: `/account/${part}`,
  })
  await expect.element(account.logOut).toBeVisible()
}
