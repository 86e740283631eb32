const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  // A single % begins a specifier such as %h, a single $ a variable.
  '%': '%%',
  $: '$$',
}

/** One word of an ExecStart line, taken as it is; for text without line breaks. */
export function systemdQuote(text: string): string {
  if (/^[A-Za-z0-9_\-./:@+,]+$/.test(text)) return text
  return `"${text.replace(/[\\"%$]/g, (character) => escapes[character] ?? character)}"`
}
