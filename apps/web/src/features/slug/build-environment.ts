import * as v from 'valibot'

const Environment = v.object({ VITE_TAVERN_URL: v.optional(v.string()) })

const { VITE_TAVERN_URL } = v.parse(Environment, import.meta.env)

/** What the build was told; Vite writes it into the code. */
export const buildEnvironment = { tavernUrl: VITE_TAVERN_URL }
