import { shellQuote } from '../heartbeat-commands/shell-quote.ts'

/** Quotes a word, and a path in the home folder, for a POSIX shell. */
export const shellQuoting = {
  word: shellQuote,
  inHome: (path: string) => (path === '' ? '"$HOME"' : `"$HOME"/${shellQuote(path)}`),
}
