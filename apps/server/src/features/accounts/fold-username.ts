/** Usernames are ASCII, so lower case is all it takes to compare them without regard to case. */
export function foldUsername(username: string): string {
  return username.toLowerCase()
}
