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
