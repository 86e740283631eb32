/** How often to try a property whose every try takes long: the long tests set the factor. */
export function propertyRuns(runs: number): number {
  return runs * Number(process.env['PROPERTY_FACTOR'] ?? 1)
}
