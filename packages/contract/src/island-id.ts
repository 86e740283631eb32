import * as v from 'valibot'

/** Of an island, or of a line in its log. */
export const IslandId = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) })
