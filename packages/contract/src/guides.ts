import * as v from 'valibot'
import { defineRoute } from './route.ts'

/** A guide in the Library's list. */
export const GuideEntry = v.object({
  /** Part of its address. */
  name: v.string(),
  title: v.string(),
  summary: v.string(),
})
export type GuideEntry = v.InferOutput<typeof GuideEntry>

/** The content of a guide, from top to bottom. */
export const GuideBlock = v.variant('kind', [
  /** Rendered from Markdown. It contains no HTML from the author. */
  v.object({ kind: v.literal('text'), html: v.string() }),
  /** Text to copy. The label says where it belongs. */
  v.object({
    kind: v.literal('code'),
    language: v.string(),
    label: v.string(),
    text: v.string(),
  }),
])
export type GuideBlock = v.InferOutput<typeof GuideBlock>

export const Guide = v.object({ ...GuideEntry.entries, blocks: v.array(GuideBlock) })
export type Guide = v.InferOutput<typeof Guide>

export const listGuides = defineRoute({
  method: 'GET',
  path: '/api/guides',
  summary: 'The guides that the operator adds to the Library, by name',
  tag: 'Guides',
  access: 'anyone',
  answers: { 200: v.array(GuideEntry) },
  errors: ['rate_limited'],
})

export const readGuide = defineRoute({
  method: 'GET',
  path: '/api/guides/:name',
  summary: 'One of the operator’s guides',
  tag: 'Guides',
  access: 'anyone',
  params: v.strictObject({ name: v.string() }),
  answers: { 200: Guide },
  errors: ['not_found', 'rate_limited'],
})
