import { t } from '@lingui/core/macro'
import { guardedDestinations } from '../../lib/destinations.ts'
import { paths } from '../../paths.ts'

const builder = { name: t`The Island Builder`, path: paths.newIsland() }

/** `''` if the user stays on this page. */
export function reasonToSignIn(goal: string | undefined): string {
  if (goal === undefined) return ''
  const [path = ''] = goal.split(/[?#]/, 1)
  const place = [...guardedDestinations, builder].find((known) =>
    `${path}/`.startsWith(`${known.path}/`),
  )
  if (place !== undefined)
    return t`${place.name} is for Navigators who are signed in. You get there right after.`
  if (path === paths.invitation()) return t`An invitation is for one account. You get back to it.`
  if (path.startsWith('/islands/')) return t`You get back to the island right after.`
  if (path.startsWith('/devices/')) return t`You get back to the device right after.`
  return t`Sign in to go on to the page that you asked for.`
}
