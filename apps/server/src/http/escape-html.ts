const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // XML 1.0 has no place for these.
  '\uFFFE': '\uFFFD',
  '\uFFFF': '\uFFFD',
}

/** Text as it stands in HTML and XML, between tags and in quoted attributes alike. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'\uFFFE\uFFFF]/g, (sign) => entities[sign] ?? sign)
}
