import * as v from 'valibot'

/** The id of an island, or of a line in its log. */
export const IslandId = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) })
