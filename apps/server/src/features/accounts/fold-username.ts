/** Usernames are ASCII, so lower case is enough to compare them ignoring case. */
export function foldUsername(username: string): string {
  return username.toLowerCase()
}
