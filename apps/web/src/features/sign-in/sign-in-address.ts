/** What opens the dialog by the address; who is signed in has no use for it there. */
export const openParameter = 'signin'
export const inviteParameter = 'invite'
