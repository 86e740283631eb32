/** One word for a POSIX shell, whatever it holds but NUL; plain words stay as they are. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_\-./:@+,]+$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
