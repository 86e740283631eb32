import { shellQuote } from '../heartbeat-commands/shell-quote.ts'

/** How a POSIX shell is given a word, and a path in the home folder. */
export const shellQuoting = {
  word: shellQuote,
  inHome: (path: string) => (path === '' ? '"$HOME"' : `"$HOME"/${shellQuote(path)}`),
}
