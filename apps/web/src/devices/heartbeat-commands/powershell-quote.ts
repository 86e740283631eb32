/** A PowerShell string without expansion. PowerShell treats curly single quotes like straight ones. */
export function powershellQuote(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201A\u201B]/g, '$&$&')}'`
}
