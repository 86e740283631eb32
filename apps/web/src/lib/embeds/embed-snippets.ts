interface Shown {
  /** The picture’s and the page’s addresses. */
  readonly picture: string
  readonly page: string
  /** What the picture shows, in words. */
  readonly alt: string
}

/** A badge that leads to the page it tells of, as HTML to paste: names are by their owners, so nothing of them is markup. */
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
