/** The window event that opens the sign-in dialog, from wherever it is sent. */
export const openSignInEvent = 'open sign-in'

/** @param goal the path that somebody was going to: the dialog says so, and leads there afterwards */
export function openSignIn(goal?: string): void {
  window.dispatchEvent(new CustomEvent(openSignInEvent, { detail: goal }))
}

/** What opens it by the address; who is signed in has no use for it there. */
export const signInParameter = 'signin'
export const inviteParameter = 'invite'
