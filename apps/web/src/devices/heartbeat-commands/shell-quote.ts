/** Quotes one word for a POSIX shell. It may contain anything but NUL. Plain words stay unchanged. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_\-./:@+,]+$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
