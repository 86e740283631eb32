import { inviteParameter, signInParameter } from '../../lib/open-sign-in.ts'
import { returnPath } from '../../lib/return-path.ts'
import { forgetWayBack, readWayBack } from '../../lib/way-back.ts'
import { paths } from '../../paths.ts'

/**
 * Where to go after signing in: what the user pressed, the page that the guard refused, or the page that
 * they left to sign in on Explore. Undefined to stay.
 * @param state the history entry's state, as set by the guard
 */
export function findGoal(pressed: string | undefined, state: unknown): string | undefined {
  const isOnExplore = window.location.pathname === paths.explore()
  return pressed ?? returnPath(state) ?? (isOnExplore ? readWayBack() : undefined)
}

/** Loads the goal's page, or reloads this one, with the new session. */
export function goOnSignedIn(goal: string | undefined): void {
  forgetWayBack()
  const address = new URL(window.location.href)
  address.searchParams.delete(signInParameter)
  address.searchParams.delete(inviteParameter)
  if (goal !== undefined) window.location.replace(goal)
  else if (address.href === window.location.href) window.location.reload()
  else window.location.replace(address)
}
