export const openSignInEvent = 'open sign-in'

/** @param goal the path to open after signing in. The dialog names it. */
export function openSignIn(goal?: string): void {
  window.dispatchEvent(new CustomEvent(openSignInEvent, { detail: goal }))
}

/** These query parameters open the dialog. Signed-in users have no use for them there. */
export const signInParameter = 'signin'
export const inviteParameter = 'invite'
