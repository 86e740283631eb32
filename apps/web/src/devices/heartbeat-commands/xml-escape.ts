const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes text for an XML element or an attribute in double quotes. */
export function xmlEscape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
