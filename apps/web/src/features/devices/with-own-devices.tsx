import type { OwnDevice } from '@astropelago/contract/devices'
import type { ComponentType } from 'react'
import { useOwnDevices } from './use-own-devices.ts'

const pollMs = 10_000

interface OwnDevicesProps {
  readonly ownDevices: readonly OwnDevice[] | undefined
}

/**
 * A page that is handed the user's own devices: asked for once, and followed for as long as one of
 * them is private, since what is public is told to everybody.
 */
export function withOwnDevices(Page: ComponentType<OwnDevicesProps>): ComponentType {
  return function PageWithOwnDevices() {
    const { data } = useOwnDevices((devices = []) =>
      devices.some(({ visibility, hidden }) => visibility === 'private' || hidden !== null)
        ? pollMs
        : false,
    )
    return <Page ownDevices={data} />
  }
}
