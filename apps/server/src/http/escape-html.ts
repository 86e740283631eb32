const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // XML 1.0 does not allow these characters.
  '\uFFFE': '\uFFFD',
  '\uFFFF': '\uFFFD',
}

/** Escapes text for HTML and XML, both between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'\uFFFE\uFFFF]/g, (sign) => entities[sign] ?? sign)
}
