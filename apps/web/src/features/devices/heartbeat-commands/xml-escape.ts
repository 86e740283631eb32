const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Text for an XML element or attribute in double quotes. */
export function xmlEscape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
