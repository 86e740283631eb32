/** The window event that opens the sign-in dialog, from wherever it is sent. */
export const openSignInEvent = 'open sign-in'

export function openSignIn(): void {
  window.dispatchEvent(new Event(openSignInEvent))
}

/** What opens it by the address; who is signed in has no use for it there. */
export const signInParameter = 'signin'
export const inviteParameter = 'invite'
