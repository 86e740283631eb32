/** Number of runs for a property whose runs take long. The long tests set the factor. */
export function propertyRuns(runs: number): number {
  return runs * Number(process.env['PROPERTY_FACTOR'] ?? 1)
}
