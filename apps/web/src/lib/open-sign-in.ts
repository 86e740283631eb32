/** The window event that opens the sign-in dialog, from wherever it is sent. */
export const openSignInEvent = 'open sign-in'

export function openSignIn(): void {
  window.dispatchEvent(new Event(openSignInEvent))
}
