/** The window event that opens the sign-in dialog. */
export const openSignInEvent = 'open sign-in'

/** @param goal the path that the visitor asked for: the dialog names it, and opens it after signing in */
export function openSignIn(goal?: string): void {
  window.dispatchEvent(new CustomEvent(openSignInEvent, { detail: goal }))
}

/** These query parameters open the dialog. Signed-in users have no use for them there. */
export const signInParameter = 'signin'
export const inviteParameter = 'invite'
