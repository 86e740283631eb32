import {
  createDeviceToken,
  type DeviceToken,
  listDeviceTokens,
  type OwnDevice,
} from '@astropelago/contract/devices'
import { page } from 'vitest/browser'
import { answerApi } from '../../../test/answer-api.ts'
import { answerFeed } from '../../../test/answer-feed.ts'
import { openPart } from '../../../test/open-screen.tsx'
import { sampleToken, sampleUser } from '../../../test/samples.ts'
import { answerOwnDevices } from '../../../devices/testing/answer-own-devices.ts'
import { ConnectPage } from '../connect-page.tsx'

/** The token that the server returns to everyone who asks for one. */
export const givenToken = `apd_${'t'.repeat(43)}`

const step = (name: string) => page.getByRole('region', { name, exact: true })
const token = step('Generate a device token')
const install = step('Install the heartbeat command')

/** The four steps of Connect, found as a user finds them. */
export const steps = {
  choose: step('Select or create a device'),
  token,
  install,
  watch: step('Watch the device appear online'),
  generate: token.getByRole('button', { name: 'Generate token' }),
  shownToken: token.getByRole('figure', { name: /^device token/ }).getByRole('code'),
  tryNow: install.getByRole('figure', { name: /^Try it now/ }).getByRole('code'),
  tab: (name: string) => install.getByRole('tab', { name, exact: true }),
}

export function connectPath(device?: OwnDevice): string {
  return device === undefined ? '/connect' : `/connect?device=${device.id}`
}

/** The server's responses on Connect, with a live feed. */
export function answerConnect(...devices: OwnDevice[]) {
  const feed = answerFeed()
  const tokens: DeviceToken[] = []
  answerApi(createDeviceToken, ({ body: { label, scope } }) => {
    const made = sampleToken({ label, scope })
    tokens.push(made)
    return { status: 201, body: { id: made.id, token: givenToken, label, scope } }
  })
  answerApi(listDeviceTokens, () => ({ status: 200, body: tokens }))
  const own = answerOwnDevices(...devices)
  return {
    feed,
    ...own,
    /** Sends a heartbeat with the last token created. */
    reportByToken: (device: OwnDevice) => {
      const lastSeenAt = new Date().toISOString()
      tokens.push({ ...(tokens.pop() ?? sampleToken()), lastUsedAt: lastSeenAt })
      const changed = own.replace(device.id, { status: 'online', lastSeenAt })
      feed.tell({ type: 'device', payload: changed ?? device })
    },
  }
}

/** Opens Connect for a user with these devices, one of them selected in the address. */
export async function openConnect(devices: readonly OwnDevice[] = [], selected?: OwnDevice) {
  const answers = answerConnect(...devices)
  await openPart(<ConnectPage />, { user: sampleUser, path: connectPath(selected) })
  return answers
}
