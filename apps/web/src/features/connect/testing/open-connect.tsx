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
import { answerOwnDevices } from '../../devices/testing/answer-own-devices.ts'
import { ConnectPage } from '../connect-page.tsx'

/** What the server gives to whoever asks for a token. */
export const givenToken = `apd_${'t'.repeat(43)}`

const step = (name: string) => page.getByRole('region', { name, exact: true })
const token = step('Generate a device token')
const install = step('Install the heartbeat command')

/** The four steps of Connect, as a person finds them. */
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

/** What the server answers on Connect, with the live feed live. */
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
    /** A heartbeat by the token that was made last. */
    reportByToken: (device: OwnDevice) => {
      const lastSeenAt = new Date().toISOString()
      tokens.push({ ...(tokens.pop() ?? sampleToken()), lastUsedAt: lastSeenAt })
      const changed = own.replace(device.id, { status: 'online', lastSeenAt })
      feed.tell({ type: 'device', payload: changed ?? device })
    },
  }
}

/** Connect of a user with these devices, of which the address names one. */
export async function openConnect(devices: readonly OwnDevice[] = [], selected?: OwnDevice) {
  const answers = answerConnect(...devices)
  await openPart(<ConnectPage />, { user: sampleUser, path: connectPath(selected) })
  return answers
}
