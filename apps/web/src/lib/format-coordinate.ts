/** Degrees with three decimals, about 100 m. */
export function formatCoordinate(deg: number): string {
  // Rounding makes -0.0001 a negative zero, which would read as a place of its own.
  return deg.toFixed(3).replace(/^-(0\.000)$/, '$1')
}
