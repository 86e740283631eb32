import type { Page, Route } from '@playwright/test'
import { mapsServiceScript } from '../../apps/web/src/features/observatory/map/testing/maps-service.ts'

const scriptUrl = 'https://maps.googleapis.com/maps/api/js?*'

/** Replaces the maps service. It fails this many requests for its script, then answers. */
export async function stubMapsService(page: Page, failures = 0) {
  const requests: URL[] = []
  await page.route(scriptUrl, async (route: Route) => {
    requests.push(new URL(route.request().url()))
    if (requests.length <= failures) await route.abort()
    else await route.fulfill({ contentType: 'text/javascript', body: mapsServiceScript })
  })
  return {
    requests,
    /** Does what the service does when it rejects the key. */
    refuseKey: () => page.evaluate(() => window.gm_authFailure?.()),
  }
}

declare global {
  interface Window {
    gm_authFailure?: () => void
  }
}
