import type { OwnDevice } from '@astropelago/contract/devices'
import type { ComponentType } from 'react'
import { useOwnDevices } from './use-own-devices.ts'

const pollMs = 10_000

interface OwnDevicesProps {
  readonly ownDevices: readonly OwnDevice[] | undefined
}

/** Passes the user's devices to a page. Polls only private and hidden ones: the feed has others. */
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
