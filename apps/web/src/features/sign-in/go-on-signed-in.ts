import { inviteParameter, signInParameter } from '../../lib/open-sign-in.ts'
import { returnPath } from '../../lib/return-path.ts'
import { takeWayBack } from '../../lib/way-back.ts'
import { paths } from '../../paths.ts'

/**
 * Loads the page anew, signed in: the one that the guard had refused, or the one that was left for
 * signing in on Explore, or else the same one.
 * @param state of the history's entry: the guard's word
 */
export function goOnSignedIn(state: unknown): void {
  const address = new URL(window.location.href)
  address.searchParams.delete(signInParameter)
  address.searchParams.delete(inviteParameter)
  const left = takeWayBack()
  const goal = returnPath(state) ?? (address.pathname === paths.explore() ? left : undefined)
  if (goal !== undefined) window.location.replace(goal)
  else if (address.href === window.location.href) window.location.reload()
  else window.location.replace(address)
}
