/** A count in at most four characters: 999, 1.2k, 34k, 100k, 1.5M. */
export function compactCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 9950) return `${(count / 1000).toFixed(1).replace(/\.0$/, '')}k`
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  return `${(count / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`
}
