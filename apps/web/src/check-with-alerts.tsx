import type { OwnCheck } from '@astropelago/contract/checks'
import { CheckPage } from './features/checks/check-page.tsx'
import { LocationArcs } from './location-arcs.tsx'
import { OwnAlertsPanel } from './own-alerts-panel.tsx'

/** Not in routes.tsx, because its dependencies would add to every page's first load. */
export function CheckWithAlerts() {
  return <CheckPage alertsOf={alertsOf} arcsOf={arcsOf} />
}

function arcsOf(id: string) {
  return <LocationArcs of="checks" id={id} />
}

function alertsOf({ id, name }: OwnCheck) {
  return <OwnAlertsPanel subject={{ of: 'check', id, name }} />
}
