export const searchMaxLength = 100

/** Removes case and accents, so that 'zurich' finds Zürich. */
export function searchText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
