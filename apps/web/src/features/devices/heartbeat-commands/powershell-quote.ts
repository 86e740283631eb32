/** A PowerShell string without expansion. PowerShell takes curly single quotes for straight ones. */
export function powershellQuote(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201A\u201B]/g, '$&$&')}'`
}
