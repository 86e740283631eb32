/** Longer texts are not searched for. */
export const searchMaxLength = 100

/** Without case and accents: who types 'zurich' finds Zürich. */
export function searchText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
