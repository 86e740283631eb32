/** Quotes one word for a POSIX shell. It may contain anything but NUL. Plain words stay unchanged. */
export function shellQuote(text: string): string {
  if (/^[A-Za-z0-9_\-./:@+,]+$/.test(text)) return text
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A PowerShell string without expansion. PowerShell treats curly single quotes like straight ones. */
export function powershellQuote(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201A\u201B]/g, '$&$&')}'`
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  // An unescaped % begins a specifier such as %h, and an unescaped $ a variable.
  '%': '%%',
  $: '$$',
}

/** Quotes one literal word of an ExecStart line. It must not contain line breaks. */
export function systemdQuote(text: string): string {
  if (/^[A-Za-z0-9_\-./:@+,]+$/.test(text)) return text
  return `"${text.replace(/[\\"%$]/g, (character) => escapes[character] ?? character)}"`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

export function xmlEscape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
