/** Three decimals are about 100 m. */
export function formatCoordinate(deg: number): string {
  // Rounding turns -0.0001 into -0.000, which looks like a different place.
  return deg.toFixed(3).replace(/^-(0\.000)$/, '$1')
}
