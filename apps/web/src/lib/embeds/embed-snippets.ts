interface Shown {
  /** Absolute addresses of the picture and the page. */
  readonly picture: string
  readonly page: string
  /** The picture's content in words. */
  readonly alt: string
}

/** HTML of a badge that links to its page. Owners choose the names, so they are escaped. */
export function htmlSnippet({ picture, page, alt }: Shown): string {
  return `<a href="${escapeHtml(page)}"><img src="${escapeHtml(picture)}" alt="${escapeHtml(alt)}"></a>`
}

/** The same as Markdown. */
export function markdownSnippet({ picture, page, alt }: Shown): string {
  return `[![${alt.replaceAll(/[\\`*_~<>&[\]!]/g, String.raw`\$&`)}](${picture})](${page})`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}
