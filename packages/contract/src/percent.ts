/** A share as a percentage with up to two decimals. It is rounded down, so only the whole is 100%. */
export function percent(share: number): string {
  const hundredths = Math.floor(share * 10_000 + 1e-6)
  const isTiny = hundredths === 0 && share > 0
  if (isTiny) return 'under 0.01%'
  return `${(hundredths / 100).toFixed(hundredths % 100 === 0 ? 0 : 2)}%`
}
