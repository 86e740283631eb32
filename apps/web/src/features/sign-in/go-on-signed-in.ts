import { inviteParameter, signInParameter } from '../../lib/open-sign-in.ts'
import { returnPath } from '../../lib/return-path.ts'
import { forgetWayBack, readWayBack } from '../../lib/way-back.ts'
import { paths } from '../../paths.ts'

/**
 * Where somebody goes on to once signed in: what they pressed, what the guard had refused, or the page that was left
 * for signing in on Explore. Undefined for the page they are on.
 * @param state of the history's entry: the guard's word
 */
export function findGoal(pressed: string | undefined, state: unknown): string | undefined {
  const isOnExplore = window.location.pathname === paths.explore()
  return pressed ?? returnPath(state) ?? (isOnExplore ? readWayBack() : undefined)
}

/** Loads the page of the goal, or else this one anew, signed in. */
export function goOnSignedIn(goal: string | undefined): void {
  forgetWayBack()
  const address = new URL(window.location.href)
  address.searchParams.delete(signInParameter)
  address.searchParams.delete(inviteParameter)
  if (goal !== undefined) window.location.replace(goal)
  else if (address.href === window.location.href) window.location.reload()
  else window.location.replace(address)
}
