import type { OwnDevice } from '@astropelago/contract/devices'
import { DevicePage } from './features/device/device-page.tsx'
import { LocationArcs } from './location-arcs.tsx'
import { OwnAlertsPanel } from './own-alerts-panel.tsx'

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function DeviceWithAlerts() {
  return <DevicePage alertsOf={alertsOf} arcsOf={arcsOf} />
}

function arcsOf(id: string) {
  return <LocationArcs of="devices" id={id} />
}

function alertsOf({ id, label }: OwnDevice) {
  return <OwnAlertsPanel subject={{ of: 'device', id, name: label }} />
}
